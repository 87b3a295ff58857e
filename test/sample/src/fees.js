const perMetreAndDay = 2.5;
const discountFromDays = 7;
const discount = 0.1;

/** What a ship pays for a stay, in euros: from seven days on it gets ten per cent off. */
export function fee(ship, days) {
  const full = ship.length * perMetreAndDay * days;
  return days > discountFromDays ? full * (1 - discount) : full;
}
