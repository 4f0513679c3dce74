import type { Locale } from './localize.js';

const BYTES_PER_MEGABYTE = 1_000_000;
const SECONDS_PER_MINUTE = 60;
/** From here on hours say more than minutes. */
const MOST_MINUTES = 90;

/** Megabytes for the eye: one decimal below ten, whole above; a little is never shown as nothing. */
export function inMegabytes(bytes: number): string {
  return bytes === 0 ? '0' : forTheEye(Math.max(0.1, bytes / BYTES_PER_MEGABYTE));
}

/** How long something still takes, in words; rough, because an exact figure jumps about. */
export function timeLeft(t: Locale, seconds: number): string {
  const minutes = Math.round(seconds / SECONDS_PER_MINUTE);
  if (minutes < 1) return t.model.underAMinute;
  return minutes < MOST_MINUTES ? t.model.minutesLeft(minutes) : t.model.hoursLeft(Math.round(minutes / 60));
}

/** A number of one decimal below ten, whole and in groups of three above; both languages group with commas. */
export function forTheEye(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return rounded < 10 ? rounded.toFixed(1) : Math.round(value).toLocaleString('en');
}
