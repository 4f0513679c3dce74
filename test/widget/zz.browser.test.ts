import { it } from 'vitest';
import { launchBrowser, serve } from '../browser/launch.js';
import { stateOf } from '../browser/visit.js';
import { doctorSays, fakesOf } from './model-fake.js';
import { begin, HEADACHE, replyText, tell, visitWithModel } from './model-visit.js';
it('dbg', async () => {
  const [browser, server] = await Promise.all([launchBrowser(), serve()]);
  const { page, chat } = await visitWithModel(browser, server.origin, { model: { replies: [doctorSays('Light hurting the eyes fits migraine.'), { text: doctorSays('Light hurting the eyes fits migraine. The throbbing on one side is told of there as well.'), delayMs: 15 }] }, strategyOptions: { maxRounds: 10 } });
  await tell(chat, HEADACHE.en);
  console.log(await replyText(chat));
  await begin(chat, 'It has come back like this before.');
  for (let i = 0; i < 30; i++) {
    const s = await stateOf(chat);
    console.log(i, s.screen, s.consultation?.status, JSON.stringify(s.consultation?.reply?.sentences.map((x) => x.text)), await chat.locator('[part=waiting]').count(), JSON.stringify((await fakesOf(page))[0]?.written));
    await page.waitForTimeout(60);
  }
  await browser.close(); await server.close();
});
