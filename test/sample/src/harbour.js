import { findBerth } from './berths.js';
import { fee } from './fees.js';

/** Prints where each ship lies and what it pays. */
export function arrivals(ships) {
  const taken = [];
  return ships.map(({ name, length, days }) => {
    const berth = findBerth({ length }, taken);
    if (!berth) return `${name}: no berth is free`;
    taken.push(berth.name);
    return `${name}: ${berth.name}, ${fee({ length }, days).toFixed(2)} €`;
  });
}
