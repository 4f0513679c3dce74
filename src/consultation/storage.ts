import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { isConsultationRecord } from './record.js';
import type { ConsultationRecord } from './state.js';

/** Keeps consultations on this device, after consent only. */
export interface ConsultationStore {
  /** False: kept in memory only, gone with the page. */
  readonly persistent: boolean;
  /** Resolves once the record is written for good. @throws where it could not be */
  save(record: ConsultationRecord): Promise<void>;
  /** The most recently saved consultation that can be read, among those accepted. @param accept @default all */
  latest(accept?: (record: ConsultationRecord) => boolean): Promise<ConsultationRecord | undefined>;
  /** Erases one consultation; nothing happens where it is not kept. */
  remove(id: string): Promise<void>;
  /** Erases every consultation and the database itself. */
  eraseAll(): Promise<void>;
  /** Releases the database; it opens again when needed. */
  close(): void;
}

/** Name of the database; one a site. */
export const DATABASE_NAME = 'anamnesis';
const VERSION = 1;
/** How long an open may wait for another tab, milliseconds. */
const BLOCKED_MS = 2_000;

interface Schema extends DBSchema {
  consultations: { key: string; value: { id: string; savedAt: number; record: unknown }; indexes: { savedAt: number } };
}

/** Keeps consultations for the life of the page. */
export class MemoryConsultationStore implements ConsultationStore {
  readonly persistent = false;
  #latest: ConsultationRecord | undefined;

  save(record: ConsultationRecord): Promise<void> {
    this.#latest = record;
    return Promise.resolve();
  }

  latest(accept: (record: ConsultationRecord) => boolean = () => true): Promise<ConsultationRecord | undefined> {
    return Promise.resolve(this.#latest !== undefined && accept(this.#latest) ? this.#latest : undefined);
  }

  remove(id: string): Promise<void> {
    if (this.#latest?.id === id) this.#latest = undefined;
    return Promise.resolve();
  }

  eraseAll(): Promise<void> {
    this.#latest = undefined;
    return Promise.resolve();
  }

  close(): void {
    // Memory goes with the page.
  }
}

class DeviceConsultationStore implements ConsultationStore {
  readonly persistent = true;
  #database: IDBPDatabase<Schema> | null;

  constructor(database: IDBPDatabase<Schema>) {
    this.#database = database;
  }

  async save(record: ConsultationRecord): Promise<void> {
    await this.#withDatabase(async (database) => {
      const transaction = database.transaction('consultations', 'readwrite');
      // One consultation a record: a tab that saves an older state of another consultation cannot overwrite this one.
      const put = transaction.store.put({ id: record.id, savedAt: Date.now(), record });
      await Promise.all([put, transaction.done]);
    });
  }

  async latest(accept: (record: ConsultationRecord) => boolean = () => true): Promise<ConsultationRecord | undefined> {
    return this.#withDatabase(async (database) => {
      let cursor = await database.transaction('consultations').store.index('savedAt').openCursor(null, 'prev');
      while (cursor !== null) {
        const { record } = cursor.value;
        if (isConsultationRecord(record) && accept(record)) return record;
        cursor = await cursor.continue();
      }
      return undefined;
    });
  }

  async remove(id: string): Promise<void> {
    await this.#withDatabase((database) => database.delete('consultations', id));
  }

  async eraseAll(): Promise<void> {
    await this.#withDatabase((database) => database.clear('consultations'));
    this.close();
    // Other tabs may hold the database; its records are gone either way.
    globalThis.indexedDB.deleteDatabase(DATABASE_NAME);
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }

  /** The browser may close the connection at any time (cleared data, back/forward cache): open again once. */
  async #withDatabase<T>(action: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    this.#database ??= await open(() => this.close());
    try {
      return await action(this.#database);
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
      this.#database = await open(() => this.close());
      return action(this.#database);
    }
  }
}

function open(onGone: () => void): Promise<IDBPDatabase<Schema>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DOMException('another tab holds the database', 'TimeoutError')), BLOCKED_MS);
    openDB<Schema>(DATABASE_NAME, VERSION, {
      upgrade(database) {
        database.createObjectStore('consultations', { keyPath: 'id' }).createIndex('savedAt', 'savedAt');
      },
      blocking: onGone,
      terminated: onGone,
    }).then(
      (database) => {
        clearTimeout(timer);
        resolve(database);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error('IndexedDB refused'));
      },
    );
  });
}

/** Opens the device's store; where it is blocked, refused or missing, one in memory (`persistent` false). */
export async function openConsultationStore(): Promise<ConsultationStore> {
  try {
    return new DeviceConsultationStore(await open(() => undefined));
  } catch {
    return new MemoryConsultationStore();
  }
}
