/* Random rounds of 6 nimmt! in plain C: what `bench_fast.py` measures the kernels against.

   Straightforward on purpose, the way one would write it down: partial Fisher and Yates, insertion sort of the cards of
   a turn, rows as lists. Chance is xoshiro256** seeded by splitmix64 (Blackman and Vigna, public domain), the same as in
   `nimmt.fast.chance`, so that the same seed must give the same bulls as the kernel that plays one round at a time.

   Usage: six_rounds SEATS ROUNDS SEED; prints rounds, all bulls taken, and seconds of processor time. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HIGHEST = 104, HAND = 10, ROWS = 4, ROW_LIMIT = 5, MAX_SEATS = 10 };

static int bulls_on[HIGHEST + 1];
static int deck[HIGHEST];
static uint64_t rng[4];

static int printed_bulls(int card) {
    if (card == 55) return 7;
    if (card % 11 == 0) return 5;
    if (card % 10 == 0) return 3;
    return card % 5 == 0 ? 2 : 1;
}

static uint64_t split_mix(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static void seed_rng(uint64_t seed) {
    uint64_t word = split_mix(seed);
    for (int i = 0; i < 4; i++) rng[i] = split_mix(word += 0x9E3779B97F4A7C15u);
}

static uint64_t rotate(uint64_t word, int by) { return (word << by) | (word >> (64 - by)); }

static uint64_t next_word(void) {
    uint64_t word = rotate(rng[1] * 5, 7) * 9, shifted = rng[1] << 17;
    rng[2] ^= rng[0];
    rng[3] ^= rng[1];
    rng[1] ^= rng[2];
    rng[0] ^= rng[3];
    rng[2] ^= shifted;
    rng[3] = rotate(rng[3], 45);
    return word;
}

static int below(int number) { return (int)(((next_word() >> 32) * (uint64_t)number) >> 32); }

static void shuffle(int needed) {
    for (int place = 0; place < needed; place++) {
        int other = place + below(HIGHEST - place), card = deck[place];
        deck[place] = deck[other];
        deck[other] = card;
    }
}

static void play_round(int seats, int points[]) {
    int rows[ROWS][ROW_LIMIT], length[ROWS];
    shuffle(HAND * seats + ROWS);
    for (int row = 0; row < ROWS; row++) {
        rows[row][0] = deck[HAND * seats + row];
        length[row] = 1;
    }
    for (int seat = 0; seat < seats; seat++) points[seat] = 0;
    for (int turn = HAND - 1; turn >= 0; turn--) {
        int cards[MAX_SEATS], owners[MAX_SEATS];
        for (int seat = 0; seat < seats; seat++) { /* hands are in random order: from the last card to the first */
            int card = deck[HAND * seat + turn], place = seat;
            for (; place > 0 && cards[place - 1] > card; place--) {
                cards[place] = cards[place - 1];
                owners[place] = owners[place - 1];
            }
            cards[place] = card;
            owners[place] = seat;
        }
        for (int i = 0; i < seats; i++) {
            int target = -1, closest = 0;
            for (int row = 0; row < ROWS; row++) {
                int end = rows[row][length[row] - 1];
                if (closest < end && end < cards[i]) {
                    closest = end;
                    target = row;
                }
            }
            if (target >= 0 && length[target] < ROW_LIMIT) {
                rows[target][length[target]++] = cards[i];
                continue;
            }
            if (target < 0) target = below(ROWS);
            for (int k = 0; k < length[target]; k++) points[owners[i]] += bulls_on[rows[target][k]];
            rows[target][0] = cards[i];
            length[target] = 1;
        }
    }
}

int main(int count, char **words) {
    if (count != 4) return 2;
    int seats = atoi(words[1]), points[MAX_SEATS];
    long rounds = atol(words[2]), total = 0;
    for (int card = 1; card <= HIGHEST; card++) {
        bulls_on[card] = printed_bulls(card);
        deck[card - 1] = card;
    }
    seed_rng(strtoull(words[3], NULL, 10));
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    for (long round = 0; round < rounds; round++) {
        play_round(seats, points);
        for (int seat = 0; seat < seats; seat++) total += points[seat];
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    printf("%ld %ld %.9f\n", rounds, total,
           (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec));
    return 0;
}
