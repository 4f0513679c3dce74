import type { ChatEvent, ChatRequest, LanguageModel } from '../../src/llm/language-model.js';

export interface WholeReply {
  readonly text: string;
  readonly deltas: readonly string[];
  readonly end: Extract<ChatEvent, { type: 'end' }>;
}

/** Reads a reply to its end; fails where the events do not follow the port. */
export async function readReply(model: Pick<LanguageModel, 'chat'>, request: ChatRequest): Promise<WholeReply> {
  const deltas: string[] = [];
  let end: WholeReply['end'] | undefined;
  for await (const event of model.chat(request)) {
    if (end !== undefined) throw new Error('an event came after the end');
    if (event.type === 'delta') deltas.push(event.text);
    else end = event;
  }
  if (end === undefined) throw new Error('the reply has no end');
  return { text: deltas.join(''), deltas, end };
}

/** Fails instead of waiting for ever. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([promise, new Promise<never>((_resolve, reject) => (timer = setTimeout(() => reject(new Error(`${what} did not settle within ${String(milliseconds)} ms`)), milliseconds)))]);
  } finally {
    clearTimeout(timer);
  }
}
