/** The berths of the harbour, shortest first. Lengths in metres. */
export const berths = [
  { name: 'North quay 1', length: 40 },
  { name: 'North quay 2', length: 60 },
  { name: 'South quay', length: 120 },
];

/** The shortest free berth that is long enough, or undefined. */
export function findBerth(ship, taken = []) {
  return berths.find(berth => berth.length >= ship.length && !taken.includes(berth.name));
}
