import { createPlainStore } from '../../src/store/plain-store.js';
import { testVectorStore } from '../conformance/vector-store.js';

testVectorStore(createPlainStore, { name: 'plain' });
