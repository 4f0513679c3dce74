/** Characters that say nothing: controls, zero-width and direction marks, halves of pairs, private use, U+FFFD. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\u{E0100}-\u{E01EF}\uFFFD]|(?![\t\n])\p{Cc}/gu;
const LINE_END = /\r\n?|[\u2028\u2029\u0085]/g;

/** After one of these nothing belongs to the reply. */
const REPLY_END = /<[|｜](?:im_end|eot_id|eom_id|end_of_text|endoftext|end_of_turn|end|return|eos|EOT|end▁of▁sentence)[|｜]>|<\/s>|<end_of_turn>|<eos>|<turn\|>|\[\/?INST\]|<\/?SYS>>/i;
/** A turn begins here. Whose turn it is stands after it, or inside it. */
const TURN = /<[|｜](?:im_start|start_header_id|start|turn|user|assistant|system|human|bot)[|｜]?>|<start_of_turn>/i;
const OWN_ROLE = /^\s*(?:assistant|model|bot|doctor)[ \t]*(?=\n|<|$)/i;
/** Whole tokens, and what may become one when the text goes on. */
const TOKEN = /<[|｜][\p{L}\p{N}_▁ .:-]{1,40}[|｜]?>|<\/?(?:s|bos|eos|pad|unk|mask|answer|start_of_turn|end_of_turn|unused\d{1,4}|extra_id_\d{1,3}|0x[0-9a-f]{2})>/giu;
const BROKEN_TOKEN = /<(?:[|｜][\p{L}\p{N}_▁.:-]{0,40}[|｜]?|\/s?|\/?(?:start|end)_[a-z_]{0,10}|unused\d{0,4})$/iu;

// Counted, so that a run of blanks costs no more than its length.
const BLANKS = '[ \\t]{0,4}';
const DECORATION = `${BLANKS}(?:#{1,6}${BLANKS}|>${BLANKS})?(?:\\*\\*|__)?${BLANKS}`;
const MARKED_COLON = `${BLANKS}(?:\\*\\*|__)?${BLANKS}[:：]`;
/** A line on which the model speaks for the patient. */
const PATIENT_LINE = new RegExp(`(?:^|\\n)${DECORATION}(?:(?:user|human|patient|visitor|患者|病人|用户|用戶|来访者)${MARKED_COLON}|(?:user|human|instruction)${BLANKS}\\n|\\[\\|(?:user|human)\\|\\])`, 'i');
/** The model’s own name before its first word. */
const OWN_LABEL = new RegExp(`^${DECORATION}(?:assistant|doctor|ai|bot|医生|醫生|助手|医师)${MARKED_COLON}(?:\\*\\*|__)?`, 'i');

/**
 * A reply without what chat templates leave in it: ends at the end of the model's turn, or where it starts to speak for
 * the patient; tokens and unseen characters are gone, white space around it too. Fit for a reply that still grows: but
 * for its last 24 characters, the result of a beginning is the beginning of the result. Applying it again changes nothing.
 */
export function stripControlTokens(text: string): string {
  let reply = text.replace(LINE_END, '\n').replace(UNSEEN, '');
  // Taking a token out can put another together.
  for (let before = ''; before !== reply; ) {
    before = reply;
    reply = cutAtTurn(reply).replace(TOKEN, '').replace(BROKEN_TOKEN, '').replace(OWN_LABEL, '').trim();
  }
  return reply;
}

/** The reply up to the next turn; markers before its first word are the beginning of its own. */
function cutAtTurn(text: string): string {
  const patient = PATIENT_LINE.exec(text);
  const end = REPLY_END.exec(text);
  const turn = TURN.exec(text);
  const at = Math.min(...[patient, end, turn].map((found) => found?.index ?? text.length));
  if (at === text.length) return text;
  if (text.slice(0, at).trim() !== '' || at === patient?.index) return text.slice(0, at);
  if (at === end?.index) return text.slice(at + end[0].length);
  const rest = text.slice(at + turn![0].length);
  const isPatients = /user|human|system/i.test(turn![0]) || /^\s*(?:user|human|patient|system|患者)/i.test(rest);
  return isPatients ? '' : rest.replace(OWN_ROLE, '');
}
