import type { ConsultationRecord, ConsultationStore, School } from '../src/index.js';
import type { Engine } from './engine.js';

/** What the visitor is told about keeping. `off`: not asked for. */
export type KeepStatus = 'off' | 'saving' | 'saved' | 'refused' | 'failed';

/** Name of the engine's database; looked up before consent without opening, since opening would create it. */
export const DATABASE_NAME = 'anamnesis';
const CHANNEL = 'anamnesis';
const ERASED = 'erased';

/** Whether something was kept on this device by an earlier visit. Creates nothing. */
export async function somethingIsKept(): Promise<boolean> {
  try {
    const all = await globalThis.indexedDB.databases();
    return all.some((database) => database.name === DATABASE_NAME);
  } catch {
    return false;
  }
}

function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps one element's consultation on the device, and hears of an erasure in another tab. */
export class Keeper {
  status: KeepStatus = 'off';
  #store: ConsultationStore | null = null;
  #channel: BroadcastChannel | null = null;
  #unlock: (() => void) | null = null;
  #claimed = '';
  readonly #onErasedElsewhere: () => void;

  constructor(onErasedElsewhere: () => void) {
    this.#onErasedElsewhere = onErasedElsewhere;
  }

  /** The consultation kept last for this school; under another id where another tab or element has it open. */
  async find(engine: Engine, school: School): Promise<ConsultationRecord | undefined> {
    await this.open(engine);
    let record: ConsultationRecord | undefined;
    try {
      record = await this.#store?.latest((one) => one.bundle.id.startsWith(`${school}-`));
    } catch {
      this.status = 'failed';
    }
    if (record === undefined) {
      this.status = 'off';
      this.release();
      this.#store = null;
      return undefined;
    }
    return (await this.#claim(record.id)) ? record : { ...record, id: randomId() };
  }

  /** Opens the store after consent. */
  async open(engine: Engine): Promise<void> {
    this.#store ??= await engine.openConsultationStore();
    this.status = this.#store.persistent ? 'saving' : 'refused';
    this.#listen();
  }

  get keeps(): boolean {
    return this.#store !== null;
  }

  /** Writes the record; `status` tells how it went. Never rejects. */
  async save(record: ConsultationRecord, changed: () => void): Promise<void> {
    const store = this.#store;
    if (store === null) return;
    if (store.persistent) {
      this.status = 'saving';
      changed();
      if (this.#claimed !== record.id) await this.#claim(record.id);
    }
    try {
      await store.save(record);
      if (store === this.#store) this.status = store.persistent ? 'saved' : 'refused';
    } catch {
      if (store === this.#store) this.status = 'failed';
    }
    changed();
  }

  /** Forgets one consultation, since the visitor starts over. */
  async remove(id: string): Promise<void> {
    this.#freeLock();
    try {
      await this.#store?.remove(id);
    } catch {
      this.status = 'failed';
    }
  }

  /** Erases all consultations and the database, here and on the screens of other tabs. */
  async erase(engine: Engine): Promise<void> {
    if (this.#store === null && (await somethingIsKept())) this.#store = await engine.openConsultationStore();
    const store = this.#store;
    this.#store = null;
    this.status = 'off';
    this.#freeLock();
    await store?.eraseAll();
    this.#listen();
    this.#channel?.postMessage(ERASED);
    this.#stopListening();
  }

  /** Forgets that anything is to be kept, without erasing: another tab has erased already. */
  forget(): void {
    this.#store?.close();
    this.#store = null;
    this.status = 'off';
    this.#freeLock();
    this.#stopListening();
  }

  /** Lets go of the database, the lock and the channel; they come back with the next save. */
  release(): void {
    this.#store?.close();
    this.#freeLock();
    this.#stopListening();
  }

  /** One writer a consultation. True where it is ours, or where the browser has no locks. */
  async #claim(id: string): Promise<boolean> {
    this.#freeLock();
    this.#listen();
    this.#claimed = id;
    const locks = (navigator as { locks?: LockManager }).locks;
    if (locks === undefined) return true;
    return new Promise((resolve) => {
      locks
        .request(`anamnesis-consultation-${id}`, { ifAvailable: true }, (lock) => {
          resolve(lock !== null);
          return lock === null ? undefined : new Promise<void>((free) => (this.#unlock = free));
        })
        .catch(() => resolve(true));
    });
  }

  #freeLock(): void {
    this.#unlock?.();
    this.#unlock = null;
    this.#claimed = '';
  }

  #listen(): void {
    if (this.#channel !== null) return;
    try {
      this.#channel = new BroadcastChannel(CHANNEL);
      this.#channel.onmessage = (event) => {
        if (event.data === ERASED) this.#onErasedElsewhere();
      };
    } catch {
      // No channels here: each tab erases for itself.
    }
  }

  #stopListening(): void {
    this.#channel?.close();
    this.#channel = null;
  }
}
