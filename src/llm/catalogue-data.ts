import type { Catalogue, ModelVariant } from './catalogue.js';

/** Where WebLLM keeps the libraries that its version 0.2.86 runs. */
const LIBRARIES = 'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/';

/** Of a WebLLM repository, what its runtime reads. */
const WEB_LLM_FILES = ['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json', 'params_shard_*.bin'];

const CONTEXT_TOKENS = 4096;
const MEBIBYTE = 2 ** 20;

/**
 * A model in WebLLM's form. Memory is the figure in WebLLM's own list. That list leaves out `shader-f16` for some q4f16
 * models which need it all the same. Sizes are asked of the hub: those of the 0.2.86 libraries are published nowhere else.
 * @param embedding width of the token embedding and number of its rows: at 4 bits each the largest buffer
 */
function webLlm(form: 'q4f16' | 'q4f32', name: string, memoryMebibytes: number, embedding: readonly [number, number], library = name): ModelVariant {
  return {
    id: form,
    runtime: 'web-llm',
    device: 'gpu',
    features: form === 'q4f16' ? ['shader-f16'] : [],
    downloadBytes: null,
    memoryBytes: Math.round(memoryMebibytes * MEBIBYTE),
    bufferBytes: (embedding[0] * embedding[1]) / 2,
    contextTokens: CONTEXT_TOKENS,
    hub: { repository: `mlc-ai/${name}-${form}_1-MLC`, revision: 'main', files: WEB_LLM_FILES, library: `${LIBRARIES}${library}-${form}_1_cs1k-webgpu.wasm` },
  };
}

/**
 * A model as one GGUF file. The size is that of the file at the commit. Memory is the weights, keys and values of the whole
 * context in 16 bits, the logits of one batch of 512 in 32 bits, and 64 MiB for the runtime.
 * @param layers times `keyWidth` (key heads times their width) is what each token keeps
 */
function gguf(id: string, repository: string, revision: string, file: string, downloadBytes: number, shape: { readonly layers: number; readonly keyWidth: number; readonly tokens: number }): ModelVariant {
  const kept = CONTEXT_TOKENS * shape.layers * shape.keyWidth * 2 * 2;
  return {
    id,
    runtime: 'wllama',
    device: 'cpu',
    features: [],
    downloadBytes,
    memoryBytes: downloadBytes + kept + 512 * shape.tokens * 4 + 64 * MEBIBYTE,
    bufferBytes: 0,
    contextTokens: CONTEXT_TOKENS,
    hub: { repository, revision, files: [file] },
  };
}

/** Tokens in the vocabulary of both Qwen families. */
const QWEN_TOKENS = 151_936;

/** The models that Anamnesis knows. A host may bring a catalogue of its own. */
export const CATALOGUE: Catalogue = {
  kind: 'anamnesis-catalogue',
  formatVersion: 1,
  models: [
    {
      id: 'qwen3-0.6b',
      name: 'Qwen3 0.6B',
      parameters: 596_049_920,
      languages: ['zh', 'en'],
      licence: 'Apache-2.0',
      licenceUrl: 'https://huggingface.co/Qwen/Qwen3-0.6B/blob/main/LICENSE',
      note: 'The smallest that writes Chinese and English well; its thinking stays off.',
      thinks: true,
      variants: [
        webLlm('q4f16', 'Qwen3-0.6B', 1403.34, [1024, QWEN_TOKENS]),
        webLlm('q4f32', 'Qwen3-0.6B', 1924.98, [1024, QWEN_TOKENS]),
        gguf('gguf-q8', 'Qwen/Qwen3-0.6B-GGUF', '23749fefcc72300e3a2ad315e1317431b06b590a', 'Qwen3-0.6B-Q8_0.gguf', 639_446_688, { layers: 28, keyWidth: 1024, tokens: QWEN_TOKENS }),
      ],
    },
    {
      id: 'qwen2.5-0.5b',
      name: 'Qwen2.5 0.5B Instruct',
      parameters: 494_032_768,
      languages: ['zh', 'en'],
      licence: 'Apache-2.0',
      licenceUrl: 'https://huggingface.co/Qwen/Qwen2.5-0.5B-Instruct/blob/main/LICENSE',
      note: 'Needs a third less memory than Qwen3 0.6B, and is a generation older.',
      thinks: false,
      variants: [
        webLlm('q4f16', 'Qwen2.5-0.5B-Instruct', 944.62, [896, QWEN_TOKENS], 'Qwen2-0.5B-Instruct'),
        webLlm('q4f32', 'Qwen2.5-0.5B-Instruct', 1060.2, [896, QWEN_TOKENS], 'Qwen2-0.5B-Instruct'),
        gguf('gguf-q4', 'Qwen/Qwen2.5-0.5B-Instruct-GGUF', '9217f5db79a29953eb74d5343926648285ec7e67', 'qwen2.5-0.5b-instruct-q4_k_m.gguf', 491_400_032, { layers: 24, keyWidth: 128, tokens: QWEN_TOKENS }),
      ],
    },
    {
      id: 'qwen3-1.7b',
      name: 'Qwen3 1.7B',
      parameters: 1_720_574_976,
      languages: ['zh', 'en'],
      licence: 'Apache-2.0',
      licenceUrl: 'https://huggingface.co/Qwen/Qwen3-1.7B/blob/main/LICENSE',
      note: 'For computers with room for it and buffers above WebGPU’s default; the GGUF is that of the makers of llama.cpp, since Qwen’s own has 1.8 GB.',
      thinks: true,
      variants: [
        webLlm('q4f16', 'Qwen3-1.7B', 2036.66, [2048, QWEN_TOKENS]),
        webLlm('q4f32', 'Qwen3-1.7B', 2635.44, [2048, QWEN_TOKENS]),
        gguf('gguf-q4', 'ggml-org/Qwen3-1.7B-GGUF', 'daeb8e2d528a760970442092f6bf1e55c3b659eb', 'Qwen3-1.7B-Q4_K_M.gguf', 1_282_439_264, { layers: 28, keyWidth: 1024, tokens: QWEN_TOKENS }),
      ],
    },
    {
      id: 'qwen2.5-1.5b',
      name: 'Qwen2.5 1.5B Instruct',
      parameters: 1_543_714_304,
      languages: ['zh', 'en'],
      licence: 'Apache-2.0',
      licenceUrl: 'https://huggingface.co/Qwen/Qwen2.5-1.5B-Instruct/blob/main/LICENSE',
      note: 'Fits where Qwen3 1.7B does not, and fits the default buffers of WebGPU.',
      thinks: false,
      variants: [
        webLlm('q4f16', 'Qwen2.5-1.5B-Instruct', 1629.75, [1536, QWEN_TOKENS], 'Qwen2-1.5B-Instruct'),
        webLlm('q4f32', 'Qwen2.5-1.5B-Instruct', 1888.97, [1536, QWEN_TOKENS], 'Qwen2-1.5B-Instruct'),
        gguf('gguf-q4', 'Qwen/Qwen2.5-1.5B-Instruct-GGUF', '91cad51170dc346986eccefdc2dd33a9da36ead9', 'qwen2.5-1.5b-instruct-q4_k_m.gguf', 1_117_320_736, { layers: 28, keyWidth: 256, tokens: QWEN_TOKENS }),
      ],
    },
    {
      id: 'smollm2-360m',
      name: 'SmolLM2 360M Instruct',
      parameters: 361_821_120,
      languages: ['en'],
      licence: 'Apache-2.0',
      licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
      note: 'For devices with little memory: the smallest of the list by far; weak at facts.',
      thinks: false,
      variants: [
        webLlm('q4f16', 'SmolLM2-360M-Instruct', 376.06, [960, 49_152]),
        webLlm('q4f32', 'SmolLM2-360M-Instruct', 579.61, [960, 49_152]),
        gguf('gguf-q8', 'HuggingFaceTB/SmolLM2-360M-Instruct-GGUF', '593b5a2e04c8f3e4ee880263f93e0bd2901ad47f', 'smollm2-360m-instruct-q8_0.gguf', 386_404_992, { layers: 32, keyWidth: 320, tokens: 49_152 }),
      ],
    },
    {
      id: 'llama-3.2-1b',
      name: 'Llama 3.2 1B Instruct',
      parameters: 1_235_814_400,
      languages: ['en'],
      licence: 'Llama 3.2 Community License',
      licenceUrl: 'https://github.com/meta-llama/llama-models/blob/main/models/llama3_2/LICENSE',
      note: 'Whoever mirrors it must hand on the licence and show “Built with Llama”; the GGUF is a third party’s, Meta has none.',
      thinks: false,
      variants: [
        webLlm('q4f16', 'Llama-3.2-1B-Instruct', 879.04, [2048, 128_256]),
        webLlm('q4f32', 'Llama-3.2-1B-Instruct', 1128.82, [2048, 128_256]),
        gguf('gguf-q4', 'bartowski/Llama-3.2-1B-Instruct-GGUF', '067b946cf014b7c697f3654f621d577a3e3afd1c', 'Llama-3.2-1B-Instruct-Q4_K_M.gguf', 807_694_464, { layers: 16, keyWidth: 512, tokens: 128_256 }),
      ],
    },
    {
      id: 'gemma-3-1b',
      name: 'Gemma 3 1B it',
      parameters: 999_885_952,
      languages: ['en'],
      licence: 'Gemma Terms of Use',
      licenceUrl: 'https://ai.google.dev/gemma/terms',
      note: 'Its makers name English alone at this size; WebLLM starts it only with `sliding_window_size: -1` beside the context size; Google’s own GGUF wants an account, so it is that of the makers of llama.cpp.',
      thinks: false,
      variants: [
        webLlm('q4f16', 'gemma3-1b-it', 711.07, [1152, 262_144]),
        gguf('gguf-q4', 'ggml-org/gemma-3-1b-it-GGUF', 'f9c28bcd85737ffc5aef028638d3341d49869c27', 'gemma-3-1b-it-Q4_K_M.gguf', 806_058_240, { layers: 26, keyWidth: 256, tokens: 262_144 }),
      ],
    },
  ],
};
