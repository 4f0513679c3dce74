/**
 * Words without which few sentences of a language do, in lower case, marks taken off; none that is a common word of
 * English too, or a word of anatomy. For telling English from what else is written in Latin letters.
 */
export const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  ('the and of to you your is are it its for with if have has or may can this that these those not be been was were at from by when what where which who how do does did any some ' +
    'should could would will might than then there they them their he she his her we our us as on but so because about also often usually more most other such i my me see tell feel').split(' '),
);

export const OTHER_WORDS: ReadonlySet<string> = new Set(
  [
    // French
    'le les des du est sont vous votre vos une un pas pour avec dans et que qui sur avez etes peut il elle je nous ce cette depuis ou au aux mais si vos',
    // Spanish
    'el los las del de que es una por con para su usted si y en tiene esta puede como pero mas hace desde muy le lo se al son',
    // Portuguese
    'os uma nao com voce seu sua em da dos ha tem pode mas muito sao ao pelo um e ele',
    // Italian
    'il che di non per lei suo gli della sono ha puo con anche dei nel piu e da una',
    // German
    'der das und ist nicht sie mit fur ein eine einen ihr ihre haben sind auf zu im den dem von oder bei auch wenn wie kann es ich seit wird sich',
    // Dutch
    'het een en van niet uw zijn heeft met voor op dat ook bij kunt als u',
    // Vietnamese
    'ban khong co la cua va bi cho nhung mot duoc trong voi hay nen cac nay thi',
    // Indonesian
    'yang dan anda tidak ini itu untuk dengan dari adalah atau bisa apakah sakit',
    // Turkish
    've bir bu icin ile mi degil var cok olabilir',
    // Polish
    'nie jest sie na czy jak i w z to dla prosze',
  ].join(' ').split(' '),
);
for (const word of ENGLISH_WORDS) (OTHER_WORDS as Set<string>).delete(word);
