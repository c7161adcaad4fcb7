/** A few gentle sounds, made on the spot: no files. */
import { settings } from './settings.svelte';

export type Sound =
  'choose' | 'deal' | 'reveal' | 'place' | 'take' | 'turn' | 'round' | 'win' | 'chat' | 'no';

let context: AudioContext | null = null;

/** Browsers allow sound only after a touch or a key. */
function ready(): AudioContext | null {
  if (!settings.sound || settings.volume === 0 || typeof AudioContext === 'undefined') return null;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context.state === 'running' ? context : null;
}

export function wakeSounds(): void {
  const wake = (): void => void ready();
  addEventListener('pointerdown', wake, { passive: true });
  addEventListener('keydown', wake);
}

interface Tone {
  at?: number;
  from: number;
  to?: number;
  long?: number;
  loud?: number;
  shape?: 'sine' | 'triangle';
}

const made = new Map<string, AudioBuffer>();

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

function tone(audio: AudioContext, sound: Tone): void {
  const name = JSON.stringify(sound);
  let buffer = made.get(name);
  if (!buffer) made.set(name, (buffer = wave(audio, sound)));
  const source = audio.createBufferSource();
  const gain = audio.createGain();
  source.buffer = buffer;
  gain.gain.value = (sound.loud ?? 0.2) * settings.volume;
  source.connect(gain).connect(audio.destination);
  source.start(audio.currentTime + (sound.at ?? 0));
}

let paper: AudioBuffer | null = null;

/** A card on felt: a breath of filtered noise. */
function brush(audio: AudioContext, at: number, pitch: number, long: number, loud: number): void {
  if (!paper) {
    paper = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
    const samples = paper.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  }
  const start = audio.currentTime + at;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  source.buffer = paper;
  filter.type = 'bandpass';
  filter.frequency.setValueAtTime(pitch, start);
  filter.Q.value = 0.8;
  gain.gain.setValueAtTime(loud * settings.volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0005, start + long);
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(start, 0, long);
}

const SOUNDS: Record<Sound, (audio: AudioContext) => void> = {
  choose: (audio) => tone(audio, { from: 520, to: 660, long: 0.09, loud: 0.12 }),
  deal: (audio) => [0, 0.07, 0.14, 0.21].forEach((at) => brush(audio, at, 2600, 0.07, 0.18)),
  reveal: (audio) => [0, 0.05].forEach((at) => brush(audio, at, 3200, 0.08, 0.2)),
  place: (audio) => {
    brush(audio, 0, 1400, 0.1, 0.35);
    tone(audio, { from: 190, to: 120, long: 0.09, loud: 0.16 });
  },
  take: (audio) => {
    // Something between a sigh and a far-off cow.
    tone(audio, { from: 196, to: 147, long: 0.5, loud: 0.12, shape: 'triangle' });
    tone(audio, { from: 98, to: 82, long: 0.55, loud: 0.12 });
    brush(audio, 0.05, 900, 0.3, 0.2);
  },
  turn: (audio) => {
    tone(audio, { from: 587, long: 0.14, loud: 0.1 });
    tone(audio, { at: 0.1, from: 784, long: 0.2, loud: 0.1 });
  },
  round: (audio) =>
    [392, 494, 587].forEach((from, index) => tone(audio, { at: index * 0.11, from, long: 0.3, loud: 0.1 })),
  win: (audio) =>
    [392, 494, 587, 784].forEach((from, index) =>
      tone(audio, { at: index * 0.13, from, long: 0.5, loud: 0.12 }),
    ),
  chat: (audio) => tone(audio, { from: 880, to: 990, long: 0.08, loud: 0.06 }),
  no: (audio) => tone(audio, { from: 160, to: 140, long: 0.14, loud: 0.14, shape: 'triangle' }),
};

export function play(sound: Sound): void {
  const audio = ready();
  if (audio && !document.hidden) SOUNDS[sound](audio);
}
