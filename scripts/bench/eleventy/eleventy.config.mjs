export default function () {
  return { dir: { input: '.' }, templateFormats: ['11ty.js'] };
}
