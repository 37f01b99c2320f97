/**
 * The old forms of characters in Japanese texts, each followed by its form since the reforms of 1946: 廣島 is 広島, 澤田 is 沢田. From
 * the government's lists of characters for general use (1981, 2010) and for names, with other forms that are frequent in names.
 * Only the index and the search page have them: they are too large for all pages.
 */
const HAN_FORMS = `
  亞亜 惡悪 壓圧 圍囲 醫医 爲為 壹壱 隱隠 榮栄 營営 衞衛 驛駅 圓円 鹽塩 緣縁 艷艶 應応 歐欧 毆殴 櫻桜 奧奥 橫横 溫温 穩穏 假仮 價価 畫画 會会 壞壊 懷懐 繪絵 槪概 擴拡 殼殻 覺覚 學学 嶽岳 樂楽
  勸勧 卷巻 寬寛 歡歓 罐缶 觀観 關関 陷陥 巖巌 顏顔 歸帰 氣気 龜亀 僞偽 戲戯 犧犠 卻却 舊旧 據拠 擧挙 虛虚 峽峡 挾挟 敎教 狹狭 鄕郷 堯尭 曉暁 區区 驅駆 勳勲 薰薫 徑径 惠恵 揭掲 攜携 溪渓 經経
  繼継 莖茎 螢蛍 輕軽 鷄鶏 藝芸 缺欠 儉倹 劍剣 圈圏 檢検 權権 獻献 縣県 險険 顯顕 驗験 嚴厳 效効 廣広 恆恒 鑛鉱 號号 國国 黑黒 碎砕 濟済 齋斎 劑剤 册冊 雜雑 參参 慘惨 棧桟 蠶蚕 贊賛 殘残 絲糸
  齒歯 兒児 辭辞 濕湿 實実 舍舎 寫写 釋釈 壽寿 收収 從従 澁渋 獸獣 縱縦 肅粛 處処 敍叙 奬奨 將将 燒焼 稱称 證証 乘乗 剩剰 壤壌 孃嬢 條条 淨浄 疊畳 穰穣 讓譲 釀醸 囑嘱 觸触 寢寝 愼慎 晉晋 眞真
  盡尽 圖図 粹粋 醉酔 隨随 髓髄 數数 樞枢 瀨瀬 聲声 靜静 齊斉 攝摂 竊窃 專専 戰戦 淺浅 潛潜 纖繊 踐践 錢銭 禪禅 雙双 壯壮 搜捜 插挿 爭争 總総 聰聡 莊荘 裝装 騷騒 增増 臟臓 藏蔵 屬属 續続 墮堕
  體体 對対 帶帯 滯滞 臺台 瀧滝 擇択 澤沢 單単 擔担 膽胆 團団 彈弾 斷断 癡痴 遲遅 晝昼 蟲虫 鑄鋳 廳庁 聽聴 敕勅 鎭鎮 遞逓 鐵鉄 轉転 點点 傳伝 黨党 盜盗 燈灯 當当 鬪闘 德徳 獨独 讀読 屆届 繩縄
  貳弐 惱悩 腦脳 霸覇 廢廃 拜拝 賣売 麥麦 發発 髮髪 拔抜 蠻蛮 祕秘 濱浜 濵浜 甁瓶 拂払 佛仏 竝並 變変 邊辺 邉辺 辨弁 瓣弁 辯弁 舖舗 步歩 穗穂 寶宝 襃褒 豐豊 沒没 槇槙 萬万 滿満 默黙 餠餅 戾戻
  彌弥 藥薬 譯訳 豫予 餘余 與与 譽誉 搖揺 樣様 謠謡 遙遥 來来 賴頼 亂乱 覽覧 龍竜 兩両 獵猟 綠緑 壘塁 淚涙 勵励 禮礼 隸隷 靈霊 齡齢 曆暦 歷歴 戀恋 鍊錬 爐炉 勞労 樓楼 郞郎 祿禄 灣湾 嶋島 髙高
  﨑崎 舘館 冨富 峯峰 栁柳 桒桑 稻稲 瑤瑶 礦鉱 脫脱 說説 稅税 銳鋭 悅悦 閱閲 淸清 靑青 黃黄 產産 濤涛 埜野 檜桧 籠篭 蔣蒋 萠萌 頰頬 麴麹 鷗鴎 嚙噛 塡填 屢屡 搔掻 瀆涜 簞箪 繫繋 蠟蝋 醬醤 顚顛
  攪撹 潑溌 禱祷 剝剥 倂併 卽即 姬姫 戶戸 每毎 硏研 絕絶 緖緒 尙尚 內内 吳呉 咒呪 昻昂 曾曽 渴渇 狀状 眾衆 豬猪 鄉郷 錄録 閒間 雞鶏 靱靭 飮飲 飜翻 鬭闘 麪麺 麵麺 藪薮 諫諌 賤賎 邇迩 凛凜 凉涼
  减減 决決 况況 冲沖 恠怪 攷考`;
const MODERN = new Map(Array.from(HAN_FORMS.matchAll(/(\S)(\S)/g), ([, old = '', modern = '']) => [old, modern]));

/** Returns the form of today of a character, or any other letter unchanged. */
export const toModernHan = (letter: string): string => MODERN.get(letter) ?? letter;
