import type { Locator, Page } from 'playwright-core';

/** What a page's model does with one request, as data. */
export interface FakeReply {
  readonly text?: string;
  /** How the text comes: in words, in so many UTF-16 units a piece (which may cut an emoji in two), or at once. @default 'words' */
  readonly by?: 'words' | number | 'whole';
  /** Before each piece. @default 0: one piece a task */
  readonly delayMs?: number;
  /** Before the first piece. @default delayMs */
  readonly firstMs?: number;
  /** Comes again and again after the text, as long as it is read. */
  readonly loop?: string;
  /** After that nothing comes any more. */
  readonly hang?: boolean;
  /** The model throws an error with this message. */
  readonly fail?: string;
  /** The model dies: the request fails, and so does every later one. */
  readonly dies?: boolean;
  /** Writes on whatever happens to its reader. */
  readonly isDeaf?: boolean;
}

/** A model as a page would bring it. */
export interface FakeModel {
  /** For the doctor's requests, in order; the last one repeats. */
  readonly replies: readonly (FakeReply | string)[];
  /** For the retrieval gate. @default it retrieves */
  readonly gate?: FakeReply | string;
  readonly contextTokens?: number;
  readonly parameters?: number;
  /** It has a `dispose` of its own. @default false */
  readonly disposes?: boolean;
}

/** What the page's models were asked, one entry a model. */
export interface FakeRecord {
  readonly requests: { readonly prompt: string; readonly maxTokens: number; readonly isGate: boolean }[];
  /** Pieces written so far, of all replies. */
  written: number;
  /** Replies whose reader left or aborted. */
  stopped: number;
  disposed: number;
}

interface FakeRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly maxTokens: number;
  readonly schema?: unknown;
  readonly signal?: AbortSignal;
}

interface FakePage {
  makeFakeModel(model: FakeModel): unknown;
  readonly fakeModels: readonly FakeRecord[];
}

/** Defines `makeFakeModel` in a page; every model that it makes is recorded on `fakeModels`. */
export async function installFake(page: Page): Promise<void> {
  await page.evaluate(() => {
    if ('makeFakeModel' in globalThis) return;
    const fakeModels: FakeRecord[] = [];
    const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
    // Timers of 0 ms are held back to 4 ms after a few; messages are not.
    const { port1, port2 } = new MessageChannel();
    const nextTask = (): Promise<void> =>
      new Promise((resolve) => {
        port1.addEventListener('message', () => resolve(), { once: true });
        port2.postMessage(0);
      });
    port1.start();
    /** Reads by itself, as a model does that nobody can stop. */
    const detached = (events: AsyncGenerator<unknown, void, undefined>): AsyncIterable<unknown> => {
      const read: unknown[] = [];
      let wake = (): void => undefined;
      const ended = (async () => {
        for await (const event of events) {
          read.push(event);
          wake();
        }
      })();
      const next = async (): Promise<IteratorResult<unknown>> => {
        while (read.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return { done: false, value: read.shift() };
      };
      return { [Symbol.asyncIterator]: () => ({ next, return: () => ended.then(() => ({ done: true, value: undefined })) }) };
    };
    const makeFakeModel = (model: FakeModel): unknown => {
      const record: FakeRecord = { requests: [], written: 0, stopped: 0, disposed: 0 };
      fakeModels.push(record);
      let doctors = 0;
      let die: (reason: Error) => void = () => undefined;
      let isDead = false;
      const lost = new Promise((resolve) => {
        die = (reason) => {
          isDead = true;
          resolve(reason);
        };
      });
      const chat = (request: FakeRequest): AsyncIterable<unknown> => {
        const isGate = JSON.stringify(request.schema ?? {}).includes('"retrieve"');
        record.requests.push({ prompt: request.messages.map(({ role, content }) => `${role}: ${content}`).join('\n'), maxTokens: request.maxTokens, isGate });
        const given = isGate ? (model.gate ?? '{"retrieve": true}') : (model.replies[doctors++] ?? model.replies.at(-1) ?? '');
        const reply: FakeReply = typeof given === 'string' ? { text: given } : given;
        const events = write(request, reply);
        return reply.isDeaf === true ? detached(events) : events;
      };
      async function* write(request: FakeRequest, reply: FakeReply): AsyncGenerator<unknown, void, undefined> {
        const text = reply.text ?? '';
        const pieces = reply.by === 'whole' ? [text] : typeof reply.by === 'number' ? Array.from({ length: Math.ceil(text.length / reply.by) }, (_, at) => text.slice(at * Number(reply.by), (at + 1) * Number(reply.by))) : (text.match(/\s*\S{1,8}/g) ?? []);
        const mayGo = (): boolean => reply.isDeaf === true || request.signal?.aborted !== true;
        const delay = (milliseconds: number): Promise<void> => (milliseconds > 0 ? sleep(milliseconds) : nextTask());
        let isWhole = false;
        try {
          if (isDead) throw new Error('dead');
          await delay(reply.firstMs ?? 0);
          for (let at = 0; at < pieces.length || reply.loop !== undefined; at++) {
            if (at > 0 || reply.firstMs === undefined) await delay(reply.delayMs ?? 0);
            if (!mayGo()) return;
            record.written++;
            yield { type: 'delta', text: pieces[at] ?? reply.loop };
          }
          while (reply.hang === true && mayGo()) await sleep(20);
          if (!mayGo()) return;
          if (reply.dies === true) die(new Error(`dead after: ${text}`));
          if (reply.fail !== undefined || reply.dies === true) throw new Error(reply.fail ?? 'dead');
          isWhole = true;
          yield { type: 'end', reason: 'stop', promptTokens: 1, replyTokens: pieces.length };
        } finally {
          if (!isWhole) record.stopped++;
        }
      }
      return {
        id: 'page-model',
        contextTokens: model.contextTokens ?? 8_192,
        ...(model.parameters === undefined ? {} : { parameters: model.parameters }),
        chat,
        countTokens: (words: string) => Promise.resolve(Math.ceil(words.length / 3)),
        lost,
        ...(model.disposes === true
          ? {
              dispose: () => {
                record.disposed++;
                return Promise.resolve();
              },
            }
          : {}),
      };
    };
    Object.assign(globalThis, { makeFakeModel, fakeModels });
  });
}

/** Gives an element a model of the page's own, and options to the strategy. */
export async function giveModel(chat: Locator, model: FakeModel, strategyOptions: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await installFake(chat.page());
  await chat.evaluate((element, [given, options]) => Object.assign(element, { languageModel: (globalThis as unknown as FakePage).makeFakeModel(given), strategyOptions: options }), [model, strategyOptions] as const);
}

/** What the page's models were asked and did. */
export function fakesOf(page: Page): Promise<readonly FakeRecord[]> {
  return page.evaluate(() => (globalThis as unknown as FakePage).fakeModels);
}

/** A decision of the doctor as JSON; what is left out asks the first question and names the first candidate. */
export function doctorSays(reply: string, decision: { readonly action?: 'ask' | 'conclude'; readonly questions?: readonly number[] } = {}): string {
  return JSON.stringify({ action: decision.action ?? 'ask', questions: decision.action === 'conclude' ? [] : (decision.questions ?? [1]), candidates: [1], reply });
}
