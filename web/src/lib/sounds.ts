/** A few gentle sounds, made on the spot: no files. */
import { settings } from './settings.svelte';

export type Sound =
  'choose' | 'deal' | 'reveal' | 'place' | 'take' | 'turn' | 'round' | 'win' | 'chat' | 'no';

let context: AudioContext | null = null;

/** Browsers allow sound only after a touch or a key. */
function ready(): AudioContext | null {
  if (!settings.sound || settings.volume === 0 || typeof AudioContext === 'undefined') return null;
  if (!context) {
    context = new AudioContext();
    rehearse(context);
  }
  if (context.state === 'suspended') void context.resume();
  return context.state === 'running' ? context : null;
}

export function wakeSounds(): void {
  const wake = (): void => void ready();
  addEventListener('pointerdown', wake, { passive: true });
  addEventListener('keydown', wake);
}

/** A gliding tone: frequencies. */
interface Tone {
  at?: number;
  from: number;
  to?: number;
  long?: number;
  loud?: number;
  shape?: 'sine' | 'triangle';
}

/** A card on felt: a breath of filtered noise. */
interface Brush {
  at?: number;
  pitch: number;
  long: number;
  loud: number;
}

type Part = Tone | Brush;
const waves = new Map<Tone, AudioBuffer>();

/** Calculated by ourselves: the browser's own oscillators stop a phone for a fifth of a second when they are made. */
function wave(audio: AudioContext, { from, to = from, long = 0.12, shape = 'sine' }: Tone): AudioBuffer {
  const buffer = audio.createBuffer(1, Math.ceil((long + 0.02) * audio.sampleRate), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  const rise = Math.round(0.012 * audio.sampleRate);
  const bend = (to / from) ** (1 / (long * audio.sampleRate));
  const fade = 0.0025 ** (1 / (long * audio.sampleRate - rise));
  let phase = 0;
  let step = from / audio.sampleRate;
  let loud = 1;
  for (let index = 0; index < samples.length; index++) {
    const rising = index < rise;
    if (!rising) loud *= fade;
    const turn = shape === 'sine' ? Math.sin(2 * Math.PI * phase) : 1 - 4 * Math.abs((phase % 1) - 0.5);
    samples[index] = turn * (rising ? index / rise : loud);
    phase += step;
    step *= bend;
  }
  return buffer;
}

function waveOf(audio: AudioContext, sound: Tone): AudioBuffer {
  let buffer = waves.get(sound);
  if (!buffer) waves.set(sound, (buffer = wave(audio, sound)));
  return buffer;
}

function tone(audio: AudioContext, sound: Tone): void {
  const source = audio.createBufferSource();
  const gain = audio.createGain();
  source.buffer = waveOf(audio, sound);
  gain.gain.value = (sound.loud ?? 0.2) * settings.volume;
  source.connect(gain).connect(audio.destination);
  source.start(audio.currentTime + (sound.at ?? 0));
}

let paper: AudioBuffer | null = null;

function noise(audio: AudioContext): AudioBuffer {
  if (!paper) {
    paper = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
    const samples = paper.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  }
  return paper;
}

function brush(audio: AudioContext, { at = 0, pitch, long, loud }: Brush): void {
  const start = audio.currentTime + at;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  source.buffer = noise(audio);
  filter.type = 'bandpass';
  filter.frequency.setValueAtTime(pitch, start);
  filter.Q.value = 0.8;
  gain.gain.setValueAtTime(loud * settings.volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0005, start + long);
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(start, 0, long);
}

const SOUNDS: Readonly<Record<Sound, readonly Part[]>> = {
  choose: [{ from: 520, to: 660, long: 0.09, loud: 0.12 }],
  deal: [0, 0.07, 0.14, 0.21].map((at) => ({ at, pitch: 2600, long: 0.07, loud: 0.18 })),
  reveal: [0, 0.05].map((at) => ({ at, pitch: 3200, long: 0.08, loud: 0.2 })),
  place: [
    { pitch: 1400, long: 0.1, loud: 0.35 },
    { from: 190, to: 120, long: 0.09, loud: 0.16 },
  ],
  // A sigh, if it is only a bull or two.
  take: [
    { from: 233, to: 196, long: 0.28, loud: 0.1, shape: 'triangle' },
    { at: 0.05, pitch: 1100, long: 0.22, loud: 0.18 },
  ],
  turn: [
    { from: 587, long: 0.14, loud: 0.1 },
    { at: 0.1, from: 784, long: 0.2, loud: 0.1 },
  ],
  round: [392, 494, 587].map((from, index) => ({ at: index * 0.11, from, long: 0.3, loud: 0.1 })),
  win: [392, 494, 587, 784].map((from, index) => ({ at: index * 0.13, from, long: 0.5, loud: 0.12 })),
  chat: [{ from: 880, to: 990, long: 0.08, loud: 0.06 }],
  no: [{ from: 160, to: 140, long: 0.14, loud: 0.14, shape: 'triangle' }],
};

/** What a row sounds like that hurts more: something between a sigh and a far-off cow, and a herd that comes down. */
const HEAVIER: readonly { readonly from: number; readonly parts: readonly Part[] }[] = [
  {
    from: 0.6,
    parts: [
      { from: 175, to: 110, long: 0.8, loud: 0.15, shape: 'triangle' },
      { from: 87, to: 65, long: 0.9, loud: 0.17 },
      { at: 0.05, pitch: 700, long: 0.45, loud: 0.26 },
      { at: 0.32, from: 70, to: 40, long: 0.3, loud: 0.3 },
      { at: 0.45, from: 62, to: 38, long: 0.3, loud: 0.26 },
    ],
  },
  {
    from: 0.15,
    parts: [
      { from: 196, to: 147, long: 0.5, loud: 0.12, shape: 'triangle' },
      { from: 98, to: 82, long: 0.55, loud: 0.12 },
      { at: 0.05, pitch: 900, long: 0.3, loud: 0.2 },
    ],
  },
];

/** Calculating takes a moment, which is not to be felt when a sound is wanted: one after another while nothing happens. */
function rehearse(audio: AudioContext): void {
  const idle = globalThis.requestIdleCallback ?? setTimeout; // Safari has none
  const tones = [...Object.values(SOUNDS), ...HEAVIER.map(({ parts }) => parts)]
    .flat()
    .filter((part) => 'from' in part);
  const next = (): void => {
    const sound = tones.shift();
    if (sound) waveOf(audio, sound);
    else noise(audio);
    if (sound) idle(next);
  };
  idle(next);
}

/** `force` is how much it hurts, from 0 to 1. */
export function play(sound: Sound, force = 0): void {
  const audio = ready();
  if (!audio || document.hidden) return;
  const heavier = sound === 'take' && HEAVIER.find(({ from }) => force >= from);
  for (const part of heavier ? heavier.parts : SOUNDS[sound]) {
    if ('from' in part) tone(audio, part);
    else brush(audio, part);
  }
}
