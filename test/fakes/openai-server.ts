import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelError } from '../../src/errors/model-error.js';
import type { ChatMessage, ChatRequest, JsonSchema } from '../../src/llm/language-model.js';
import type { FakeLanguageModel } from './fake-language-model.js';

/** What a server does in place of its duty, once. */
export type Fault =
  /** Answers this status. */
  | { readonly status: number; readonly body?: unknown; readonly retryAfterSeconds?: number; readonly location?: URL }
  /** Sends this as it is, then ends. */
  | { readonly raw: string; readonly type?: string }
  /** Takes the request and says nothing. */
  | { readonly stall: 'at once' | 'after one delta' }
  /** Closes the connection. */
  | { readonly cut: 'at once' | 'after one delta' }
  /** Sends an error object among the deltas. */
  | { readonly error: unknown };

export interface ServerQuirks {
  /** @default llama.cpp */
  readonly tokenizer?: 'llama.cpp' | 'vllm' | 'none';
  /** Fields of a request that are answered by 400. */
  readonly refuses?: readonly ('json_schema' | 'json_object' | 'chat_template_kwargs')[];
  /** @default true */
  readonly counts?: boolean;
  /** Answers one object instead of a stream. @default false */
  readonly isWhole?: boolean;
  /** @default '\n' */
  readonly lineEnd?: '\n' | '\r\n';
  /** Thinking apart from the reply, as newer servers send it. */
  readonly reasoning?: string;
  /** Entries of `v1/models`; without it, the fake model as llama.cpp lists one. */
  readonly models?: unknown;
  /** Refuses requests without this key. */
  readonly apiKey?: string;
}

export interface ServedRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

/** A small server with OpenAI's interface on 127.0.0.1, in which a fake model answers. */
export class OpenAiServer {
  readonly requests: ServedRequest[] = [];
  /** Used up in order, one for each request of `v1/chat/completions`. */
  readonly faults: Fault[] = [];
  /** The same for `v1/models`. */
  readonly listFaults: Fault[] = [];
  /** Requests whose client left before the answer was whole. */
  abandonedCount = 0;
  readonly #server: Server;
  readonly #model: FakeLanguageModel;
  readonly #quirks: ServerQuirks;

  private constructor(server: Server, model: FakeLanguageModel, quirks: ServerQuirks) {
    this.#server = server;
    this.#model = model;
    this.#quirks = quirks;
    server.on('request', (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async open(model: FakeLanguageModel, quirks: ServerQuirks = {}, port = 0): Promise<OpenAiServer> {
    const server = createServer();
    const opened = new OpenAiServer(server, model, quirks);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return opened;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${String(this.port)}`);
  }

  /** Bodies of the chat requests. */
  get chats(): Record<string, unknown>[] {
    return this.requests.filter(({ path }) => path === '/v1/chat/completions').map(({ body }) => body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    response.on('close', () => {
      if (!response.writableFinished) this.abandonedCount++;
    });
    const body = await readJson(request);
    this.requests.push({ path, authorization: request.headers.authorization, body });
    const { apiKey, tokenizer = 'llama.cpp', models } = this.#quirks;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) return json(response, 401, { error: { message: 'no key' } });
    if (path === '/v1/models') {
      const fault = this.listFaults.shift();
      if (fault !== undefined) return this.#fail(fault, response);
      return json(response, 200, models ?? { object: 'list', data: [{ id: this.#model.id, meta: { n_ctx: this.#model.contextTokens, n_params: this.#model.parameters ?? undefined } }] });
    }
    if (path === '/tokenize' && tokenizer === 'llama.cpp') return json(response, 200, { tokens: await this.#tokens(body.content ?? '') });
    if (path === '/tokenize' && tokenizer === 'vllm') {
      if (typeof body.prompt !== 'string') return json(response, 400, { object: 'error', message: 'prompt: field required' });
      const tokens = await this.#tokens(body.prompt);
      return json(response, 200, { count: tokens.length, max_model_len: this.#model.contextTokens, tokens });
    }
    if (path === '/v1/chat/completions') return this.#chat(body, response);
    return json(response, 404, { error: { message: 'not found' } });
  }

  async #tokens(text: unknown): Promise<number[]> {
    return Array.from({ length: await this.#model.countTokens(String(text)) }, (_, at) => at);
  }

  #fail(fault: Fault, response: ServerResponse): void {
    if ('status' in fault) {
      if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', String(fault.retryAfterSeconds));
      if (fault.location !== undefined) response.setHeader('location', fault.location.href);
      json(response, fault.status, fault.body ?? { error: { message: 'scripted' } });
    } else if ('raw' in fault) response.writeHead(200, { 'content-type': fault.type ?? 'text/event-stream' }).end(fault.raw);
    else if ('cut' in fault) response.destroy();
  }

  async #chat(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const { refuses = [], counts = true, isWhole = false, lineEnd = '\n', reasoning } = this.#quirks;
    const fault = this.faults.shift();
    const format = body.response_format as { type: string; json_schema?: { schema: JsonSchema } } | undefined;
    if ((format !== undefined && refuses.includes(format.type as 'json_schema')) || (body.chat_template_kwargs !== undefined && refuses.includes('chat_template_kwargs'))) {
      return json(response, 400, { error: { message: 'unsupported field', type: 'invalid_request_error' } });
    }
    const isLate = fault !== undefined && ('error' in fault || ('stall' in fault && fault.stall !== 'at once') || ('cut' in fault && fault.cut !== 'at once'));
    if (fault !== undefined && !isLate) return this.#fail(fault, response);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const schema = format?.json_schema?.schema;
    const request: ChatRequest = {
      messages: body.messages as ChatMessage[],
      maxTokens: body.max_tokens as number,
      temperature: body.temperature as number,
      seed: body.seed as number,
      ...(schema === undefined ? {} : { schema }),
      signal: gone.signal,
    };
    let text = '';
    const send = (piece: unknown): void => void response.write(`${piece === '[DONE]' ? 'data: [DONE]' : `data: ${JSON.stringify(piece)}`}${lineEnd}${lineEnd}`);
    const choice = (delta: unknown, finish: string | null): unknown => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
    try {
      for await (const event of this.#model.chat(request)) {
        if (!isWhole && !response.headersSent) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(`: a comment${lineEnd}${lineEnd}`);
          send(choice({ role: 'assistant', content: null }, null));
          if (reasoning !== undefined) send(choice({ reasoning_content: reasoning }, null));
        }
        if (event.type === 'delta') {
          text += event.text;
          if (isWhole) continue;
          send(choice({ content: event.text }, null));
          if (fault === undefined) continue;
          if ('error' in fault) send({ error: fault.error });
          else {
            // What was written still arrives.
            if ('cut' in fault) response.socket?.end();
            return;
          }
        } else {
          const usage = counts ? { usage: { prompt_tokens: event.promptTokens, completion_tokens: event.replyTokens } } : {};
          if (isWhole) return json(response, 200, { choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: event.reason }], ...usage });
          send(choice({}, event.reason));
          if (counts) send({ choices: [], ...usage });
          send('[DONE]');
          response.end();
        }
      }
    } catch (error) {
      if (error instanceof ModelError && error.code === 'context-overflow' && !response.headersSent) {
        return json(response, 400, { error: { code: 400, message: 'the request exceeds the available context size, try increasing it', type: 'exceed_context_size_error' } });
      }
      response.destroy();
    }
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>);
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
}
