/** Environment for the tests with real weights; what could not be had is left out. */
export declare function prepareModels(): { readonly ANAMNESIS_GGUF?: string; readonly ANAMNESIS_WEBLLM_MODELS?: string; readonly ANAMNESIS_LLAMA_SERVER?: string; readonly ANAMNESIS_ENCODER?: string };
export declare function prepareTinyModel(): { readonly ANAMNESIS_WEBLLM_MODELS?: string };
