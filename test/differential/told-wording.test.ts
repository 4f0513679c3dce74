import { describe, expect, it } from 'vitest';
import { answer, begin } from '../consult.js';

describe('a disease that somebody was told of', () => {
  it.each([
    ['mm-zh', '心电图提示急性心梗，大夫让住院我先回家拿东西，心慌', 'acute-coronary-syndrome'],
    ['mm-zh', 'B超说是宫外孕，肚子疼', 'ectopic-pregnancy'],
    ['mm-zh', '胸片说气胸压缩60%，胸闷', 'spontaneous-pneumothorax'],
    ['mm-en', 'they said it is a pulmonary embolism, I cough', 'pulmonary-embolism'],
  ] as const)('is named first, also when nothing else is found (%s: %s)', async (id, words, disease) => {
    const consultation = await begin(id, words);
    expect(consultation.state.differential[0]?.id).toBe(disease);
    while (consultation.state.question !== null) await answer(consultation, 'unknown');
    expect(consultation.state.result?.candidates[0]?.id).toBe(disease);
    expect(consultation.state.result?.candidates.flatMap(({ evidenceFor }) => evidenceFor.map((one) => one.findingId)).filter((one) => one.startsWith('told-'))).toEqual([]);
    consultation.close();
  });

  it.each([
    ['mm-zh', '已排除肺栓塞，咳嗽', 'pulmonary-embolism'],
    ['mm-zh', '十年前心梗做过支架，现在咳嗽流鼻涕', 'acute-coronary-syndrome'],
    ['mm-en', 'my neighbour was told it is a pulmonary embolism, I have a runny nose', 'pulmonary-embolism'],
  ] as const)('is not, where it was ruled out, is over, or another’s (%s: %s)', async (id, words, disease) => {
    const consultation = await begin(id, words);
    expect(consultation.state.differential[0]?.id).not.toBe(disease);
    consultation.close();
  });

  it('gives way where many findings are known', async () => {
    const consultation = await begin('mm-zh', '车祸后头痛，呕吐，昏迷过一阵，头皮裂伤，耳朵流血，鼻子流血，右边瞳孔散大，CT示蛛网膜下腔出血', { sex: 'male' });
    expect(consultation.state.differential[0]?.id).not.toBe('subarachnoid-haemorrhage');
    consultation.close();
  });
});
