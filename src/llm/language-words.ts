const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** Words without which few English sentences do. */
export const ENGLISH_WORDS = words(
  'the and of to you your is are it its for with if have has or may can this that these those not be been was were at from by when what where which who how',
  'do does did any some should could would will might than then there they them their he she his her we our us as on but so because about also often usually',
  'more most other such i my me in an a',
);

/**
 * The same for other languages in Latin letters, their marks taken off: French, Spanish, Portuguese, Italian, German,
 * Dutch, Vietnamese, Indonesian, Turkish, Polish. None that is an English or a medical word (die, fur, hay, als, yang).
 */
export const OTHER_WORDS = words(
  'le les des du est sont vous votre vos une un pas pour avec dans et que qui sur avez etes peut il elle je nous ce cette depuis ou au aux mais',
  'el la los las del de es una por para su usted si y en tiene esta puede como pero mas hace desde muy lo',
  'os uma nao com voce seu sua em da dos ha tem pode mas muito sao pelo um e ele',
  'che di lei suo gli della sono puo anche dei nel piu il',
  'der das und ist nicht sie mit ein eine einen ihr ihre haben sind auf zu dem von oder bei auch wenn wie kann es ich seit wird sich wann',
  'het een niet uw zijn heeft voor dat ook bij kunt u',
  'khong cua cho nhung mot duoc trong voi nen cac nay thi bi va la',
  'anda tidak ini itu untuk dengan dari adalah atau bisa apakah sakit',
  've bir bu icin ile mi degil var cok olabilir',
  'nie jest sie czy jak dla prosze',
);

/** Names with marks that English medical texts are full of. */
export const MARKED_NAMES = words('ménière menière sjögren barré behçet schönlein löffler köhler möbius röntgen café naïve déjà façade fiancé sézary crohn');

/** Units in small letters; names of substances and tests stand in capitals. */
export const UNITS = words('mg kg ml dl cm mm km ug μg mcg min sec bpm kcal kpa mol mmol umol nmol pmol iu vs ph cc fl');
