/**
 * @typedef {object} Fault
 * @property {string} file
 * @property {string} find text that is in the file once
 * @property {string} replace what stands there instead
 * @property {'unit' | 'host' | 'ui' | 'realAgents'} suite
 * @property {string} test full title of the test that has to turn red
 */

/** @type {Fault[]} */
export const faults = [];
