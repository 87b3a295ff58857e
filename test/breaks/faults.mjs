import { conversation } from './faults/conversation.mjs';
import { host } from './faults/host.mjs';
import { protocol } from './faults/protocol.mjs';
import { sessions } from './faults/session.mjs';
import { view } from './faults/view.mjs';

/**
 * @typedef {object} Fault
 * @property {string} file
 * @property {string} find text that is in the file once
 * @property {string} replace what stands there instead
 * @property {'unit' | 'host' | 'ui' | 'realAgents'} [suite] `unit` when it is absent
 * @property {string} test full title of the test that has to turn red
 */

/** @typedef {Record<string, Fault[]>} Table a promise and faults that break it */

/** @type {Table} */
export const promises = { ...protocol, ...sessions, ...conversation, ...host, ...view };
