/** The forms of dates of single languages. What is common to all is in forms.ts. */

/** A form of dates. */
export interface DateForm {
  name: string;
  /** Texts as cataloguers write them, and their reading in EDTF. */
  examples: ReadonlyArray<readonly [text: string, edtf: string]>;
}

/** The reading of “undated” and the like. */
export const UNDATED_READING = 'undated';

/** Dates in other languages than English. */
export const FORMS_OF_LANGUAGES: readonly DateForm[] = [
  {
    name: 'Japanese, Chinese and Korean',
    examples: [
      ['1942年3月4日', '1942-03-04'],
      ['１９４２年', '1942'],
      ['昭和17年3月', '1942-03'],
      ['昭和十七年三月四日', '1942-03-04'],
      ['大正元年', '1912'],
      ['明治三十三年', '1900'],
      ['Shōwa 17', '1942'],
      ['S17.3.4', '1942-03-04'],
      ['昭和17年頃', '1942~'],
      ['昭和10年代', '1935/1944'],
      ['1940年代', '194X'],
      ['1942年春', '1942-21'],
      ['1942年3月～5月', '1942-03/1942-05'],
      ['昭和17〜20年', '1942/1945'],
      ['1942年以前', '../1942'],
      ['19世紀', '18XX'],
      ['昭和16年12月～17年2月', '1941-12/1942-02'],
      ['明治三十七、八年', '1904/1905'],
      ['明治時代', '1868/1912'],
      ['昭和初期', '1926~/1935~'],
      ['慶応3年', '1867'],
      ['Shōwa 18-nen 3-gatsu', '1943-03'],
      ['民國31年', '1942'],
      ['1942년 3월 4일', '1942-03-04'],
      ['不明', UNDATED_READING],
      ['1942年～', '1942/..'],
      ['昭和17年5月から20年8月', '1942-05/1945-08'],
      ['昭和17年から昭和20年まで', '1942/1945'],
      ['自昭和17年至昭和20年', '1942/1945'],
      ['1942年以降1945年以前', '1942?/1945?'],
      ['昭和17年及び18年', '{1942,1943}'],
      ['昭和17.5.13', '1942-05-13'],
      ['Meiji 37.2', '1904-02'],
      ['昭和17年 [1942年] 5月13日', '1942-05-13'],
      ['昭和20年代後半', '1950~/1954~'],
      ['昭和30～40年代', '1955/1974'],
      ['1940～50年代', '1940/1959'],
      ['大正〜昭和', '1912/1989'],
      ['19世紀末～20世紀初頭', '1850~/1949~'],
      ['撮影年月日不明', UNDATED_READING],
    ],
  },
  {
    name: 'Spanish',
    examples: [
      ['4 de marzo de 1942', '1942-03-04'],
      ['junio de 1947', '1947-06'],
      ['primavera de 1942', '1942-21'],
      ['enero-febrero de 1943', '1943-01/1943-02'],
      ['del 3 al 5 de mayo de 1942', '1942-05-03/1942-05-05'],
      ['hacia 1942', '1942~'],
      ['principios de 1942', '1942~'],
      ['década de 1940', '194X'],
      ['a mediados de los años 1940', '1943~/1946~'],
      ['siglo XIX', '18XX'],
      ['02-XI-1887', '1887-11-02'],
      ['entre 1940 y 1945', '1940?/1945?'],
      ['antes de 1942', '../1942'],
      ['desde 1942 hasta 1945', '1942/1945'],
      ['sin fecha', UNDATED_READING],
      ['posteriores a 1942', '1942/..'],
      ['con anterioridad a mayo de 1942', '../1942-05'],
      ['no anterior a 1942', '1942/..'],
      ['antes del 13 de mayo de 1942', '../1942-05-13'],
      ['a partir del año 1942', '1942/..'],
      ['alrededor del año 1942', '1942~'],
      ['entre los años 1942 y 1945', '1942?/1945?'],
      ['entre mayo y noviembre de 1942', '1942-05?/1942-11?'],
      ['décadas de 1930, 1940 y 1950', '{193X,194X,195X}'],
      ['fines s. XIX-ppios. s. XX', '1850~/1949~'],
      ['2.ª mitad s. XIX', '1850~/1899~'],
      ['1.º de mayo de 1931', '1931-05-01'],
      ['a 3 días del mes de marzo de 1901', '1901-03-03'],
      ['s/f', UNDATED_READING],
      ['no consta', UNDATED_READING],
    ],
  },
];
