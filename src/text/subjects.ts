/** 我给她数脉: who looks after somebody is not the patient. */
const OWN_ZH = /我(?!(?:给|帮|看|摸|让|叫|喊|问|扶|带|抱|背|拍|掐|听|量|数|发现|见|瞧|替|喂|劝|送|拉|推|照顾)(?:着|到|见|了)?(?:他|她|它|娃|孩|宝|老|爸|妈|爷|奶|姥|外)|该|应该|想问|想咨询|要怎么|能做|可以做|爸|妈|父|母|爷|奶|外公|外婆|姥|老公|老婆|丈夫|妻|哥|弟|姐|妹|儿|女儿|孩|宝|娃|朋友|同事|同学|邻居|室友|舅|姨|姑|叔|伯|岳|公公|婆婆|男友|女友|男朋友|女朋友|对象|爱人|家|们家|的(?:爸|妈|父|母|爷|奶|老公|老婆|丈夫|妻|哥|弟|姐|妹|朋友|同事|同学|邻居))|本人|(?<![她他它妈爸子婆公爷奶儿女娃])自己/gu;
const OWN_EN = /\b(?:(?<!\b(?:do|should|can|could|must|shall) )i(?! (?:like|liked|love|know|knew|met|follow|saw|once knew|work with|went to school|(?:checked|found|see|noticed|called|asked|told|carried|held|gave|took|measured|can feel|counted|woke|(?:cannot|can't|cant|can not|couldn't|could not|am trying to|was trying to|tried to|try to|keep trying to|managed to|had to|have to) (?:get|wake|rouse|feel|hear|see|understand|make|find|move|lift|hold|calm|feed|keep|reach|carry)) (?:him|her|his|them|she|he|the baby|my (?:mum|mom|mother|dad|father|son|daughter|wife|husband))))|i'?m|i'?ve|(?<!\b(?:front of|next to|beside|near|behind|opposite) )me|myself)\b|\bmy (?!street|road|building|block|school|office|work\b|town|village|city|area|estate|gym|church|class|team|shop|flight|bus|train|mum|mom|mother|dad|father|parent|husband|wife|partner|brother|sister|son|daughter|child|kid|baby|toddler|friend|colleague|co-worker|coworker|neighbo|roommate|flatmate|boss|uncle|aunt|cousin|grand|boyfriend|girlfriend|nan\b|nana|granny|gran\b|teacher|doctor|gp|in-law|niece|nephew|family|patient)/gu;
/** People one is with: the patient where the speaker has no complaint of their own and speaks of now. */
const RELATIVE = /(?<=(?:给|让|把|被|喂|对|叫|喊)了?)[他她](?!们)|爸|妈妈|妈|父亲|母亲|曾?祖父|曾?祖母|太爷爷?|太奶奶?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|丈夫|妻子|哥哥?|弟弟?|姐姐?|妹妹?|舅舅|阿姨|姑姑|叔叔|伯伯|岳父|岳母|公公|婆婆|爱人|孙子|孙女|侄子?|外甥|表[哥姐弟妹]|堂[哥姐弟妹]|男朋友|女朋友|男友|女友|对象|老伴|家里?人|(?<!女|男)朋友|同事|同学|室友|\b(?:mum|mom|mother|dad|father|parents?|husband|wife|partner|brother|sister|uncle|aunt|cousin|(?:great[- ])?(?:grand|gran)(?:ma|pa|mother|father|dad|mum|son|daughter)|boyfriend|girlfriend|nan|nana|granny|gran|mother-in-law|father-in-law|niece|nephew|family|friend|colleague|co-?worker|roommate|flatmate|classmate)\b/gu;
const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/u).join('|')})`;

/** People, and animals, who are not the patient. */
const SOMEBODY_ZH = anyOf('老板 老师 邻居 邻床 房东 球友 牌友 别人 (?<!像)有人(?![掐拧捅揪扎踩压捏拽打捶勒用拿按]) (?<!老)人家 他人 明星 球星 网友 病友 领导 客户 亲戚');
const FAMOUS_ZH = anyOf('球员 运动员 选手 诗人 作家 演员 歌手 主角 主人公 历史上 名人 网红');
/** 楼上, 楼下 and 隔壁 are people only where people are named. */
const LIVES_NEAR_ZH = `(?:楼上|楼下|隔壁)(?=(?:的|那|这)?${anyOf('邻居 大爷 大妈 大叔 大姐 阿姨 阿叔 叔叔? 老 小(?!区|卖|超) 住 床 病[房床] 一家 人家 那家 家的?[孩老大小] 租客 夫妻 男 女 孩 奶奶 爷爷')})(?!床?的?(?:说|讲|告诉))`;
const SOMEBODY_EN = `\\b${anyOf('neighbou?r boss teacher someone somebody people a\\sman a\\swoman celebrity patient\\sof\\smine other\\speople a\\sguy person schoolmate lady gentleman singer actor actress poet writer footballer president character bloke ex-?colleague landlord landlady tenant customer passenger')}s?\\b`;
const PET_ZH = anyOf('狗 猫 宠物 兔子 仓鼠 乌龟 鹦鹉');
const PET_EN = `\\b${anyOf('dog cat pet puppy kitten hamster rabbit bunny parrot tortoise')}s?\\b`;

/** They are not the subject where something was done with, by or from them: 被老板骂了, a row with my boss, the neighbour's mushrooms … */
const NOT_AFTER_ZH = `(?<!${anyOf('被 让 叫 给 跟 和 与 同 向 对 找 问 听 比 像 替 帮 由 从 在 去 到 住 为 陪 照顾 传染 (?:吃|喝|用|吸|穿|碰|借|买|收|闻|摸)(?:了|过|着|到)?')}(?:我|我们|咱们?|他|她|一个|个|几个|朋友家?的?)?)`;
const NOT_AFTER_EN = `(?<!\\b${anyOf('with by from at to for than like of off over on onto into after against hit saw helping helped fighting visiting carrying lifting unlike near around')}(?: [\\w']+){0,2} )`;
const KEPT_ZH = `(?<!${anyOf('野 流浪 养着? 养[了过只条] 有 遛 抱 撸 逗 喂 接触 宠物 把')})`;
const KEPT_EN = `(?<!\\b${anyOf('have has had got own keep walking petting stroking')}(?: [\\w']+){0,2} )`;
/** … nor where they did, said, saw or gave it: 老师说孩子抽搐, people say I look yellow, the neighbour's dog bit. */
const NOT_BEFORE_ZH = `(?!(?:们|家|那里|那边|那儿)?(?:刚|刚才|昨天|今天|都|也|又|老|总|经常)*${anyOf('说 讲 告诉 打(?:来)?电话 来电 通知 反映 发现 看到 看见 见 让 叫 劝 建议 推荐 提醒 送 给 做 煮 炒 腌 拍 推 打 撞 踢 踩 骂 罚 扔 砸 泼 帮 扶 背 借 传染 介绍 开的 不 没 感冒')}|(?:们|家)?的?${anyOf('狗 猫 鸡 鸭 鹅 蜂 牛 马 羊 猪 药 菜 饭 酒 茶 饺子 蘑菇 东西 偏方 方子 土方 蛋糕 水果 话 车 房 婚礼 葬礼 聚会')})`;
const NOT_BEFORE_PET_ZH = `(?!${anyOf('狗 猫 送 托给 寄养 咬 抓 挠 毛 皮 粪 屎 尿 喘 叫 玩具 粮 过敏 把 绊 扑 撞 舔')})`;
const DID_EN = anyOf("bit bites? bitten scratch\\w* hit punch\\w* kick\\w* push\\w* attack\\w* stabb\\w* shot told tells? said says? think thinks thought notic\\w* gave called calls phoned rang found cough\\w*\\son sneez\\w*\\son asked threw bump\\w* ran\\sinto crash\\w* knock\\w* stepp\\w* elbow\\w* squeez\\w* chok\\w*\\sme strangl\\w* spiked tripped fell\\son jumped\\son jumps\\son (?:are|is)\\sfine at\\swork\\shad");
const THEIRS_EN = anyOf('hair fur allerg\\w* dog cat car bike party wedding ladder house place flat pool garden trolley trampoline mushrooms food cooking cake barbecue');
const NOT_BEFORE_EN = `(?!(?:'?s?'?)(?: [\\w']+)? (?:has |had |have |just |always |also |keeps? )?${DID_EN}|'?s?'? ${THEIRS_EN})`;
const STRANGER = new RegExp(
  [
    FAMOUS_ZH,
    NOT_AFTER_ZH + SOMEBODY_ZH + NOT_BEFORE_ZH,
    NOT_AFTER_ZH + LIVES_NEAR_ZH,
    NOT_AFTER_EN + SOMEBODY_EN + NOT_BEFORE_EN,
  ].join('|'),
  'gu',
);
const ANIMAL = new RegExp([NOT_AFTER_ZH + KEPT_ZH + PET_ZH + NOT_BEFORE_PET_ZH, NOT_AFTER_EN + KEPT_EN + PET_EN + NOT_BEFORE_EN].join('|'), 'gu');
/** A child is the patient, whoever was named before, unless it is a stranger's. */
const CHILD = new RegExp(
  `(?<!${anyOf('邻居 同事 朋友 同学 室友 老师 老板 房东 别人 人家 亲戚 闺蜜 他 她 网友 客户 隔壁 楼上 楼下')}(?:们)?(?:家)?的?(?:小|大)?)${anyOf('我家的(?!狗|猫|鸡|兔|邻|老) 孩子 娃 宝宝 宝贝 儿子 女儿 闺女 小孩')}|\\bmy (?:\\w+ )?${anyOf('son daughter child kids? baby toddler little\\sone boys? girls?')}\\b(?!'s|s')`,
  'gu',
);

/** Somebody whom a sentence names: the speaker, one of theirs, or anybody else. */
export interface Subject {
  readonly at: number;
  readonly who: 'own' | 'child' | 'relative' | 'stranger' | 'animal';
}

/** Whom a sentence speaks of, in its order. */
export function subjectsOf(sentence: string): Subject[] {
  const all: Subject[] = [];
  const collect = (pattern: RegExp, who: Subject['who']): void => {
    for (const match of sentence.matchAll(pattern)) all.push({ at: match.index, who });
  };
  collect(OWN_ZH, 'own');
  collect(OWN_EN, 'own');
  collect(CHILD, 'child');
  collect(RELATIVE, 'relative');
  collect(STRANGER, 'stranger');
  collect(ANIMAL, 'animal');
  return all.sort((a, b) => a.at - b.at);
}
