// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.MasterGroupKeys;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.transport.token.InvalidTokenException;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import io.packing.transport.token.TokenVerifier;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Issues, renews and cancels the tokens of a master, or of a group of masters. What it answers is durable. Thread-safe. */
public final class TokenAuthority {
    private static final Logger LOG = LoggerFactory.getLogger(TokenAuthority.class);
    /** The file of tokens is written whole, and its refused numbers go to every worker. */
    private static final int MOST_TOKENS = 10_000;

    private static final int MOST_OF_A_USER = 1_000;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final TokenOptions terms;
    private final KeyIds ids;
    private final Clock clock;
    private final MasterTexts texts;
    private final TokenVerifier verifier;
    // Guarded by this: what the texts say as of a version.
    private SigningKeys keys;
    private TokenRows rows;
    private long known;
    private volatile Ring ring;

    /** The key ring that is valid until a time passes, or another member of the group changes it. */
    private record Ring(KeyRing ring, long version, Instant from, Instant until) {
        boolean holds(long now, Instant time) {
            return now == version && !time.isBefore(from) && time.isBefore(until);
        }
    }

    private TokenAuthority(MasterTexts texts, TokenOptions terms, KeyIds ids, Clock clock) throws IOException {
        this.terms = terms;
        this.ids = ids;
        this.clock = clock;
        this.texts = texts;
        this.known = texts.version();
        this.keys = SigningKeys.read(texts, terms, ids);
        this.rows = TokenRows.read(texts);
        this.verifier = new TokenVerifier(this::ring, clock);
        Instant now = clock.instant();
        rotate(now);
        this.ring = computed(now);
    }

    /** Those whose keys and tokens are in these texts. */
    public static TokenAuthority open(MasterTexts texts, TokenOptions terms, KeyIds ids, Clock clock)
            throws IOException {
        return new TokenAuthority(texts, terms, ids, clock);
    }

    /**
     * A new token.
     *
     * @throws IllegalArgumentException for names that are too long, or when too many tokens live
     */
    public IssuedToken issue(String user, String renewer) throws IOException {
        return issue(user, renewer, "");
    }

    /**
     * A new token.
     *
     * @param via who acts for the user; empty: no proxy does
     * @throws IllegalArgumentException for names that are too long, or when too many tokens live
     */
    public synchronized IssuedToken issue(String user, String renewer, String via) throws IOException {
        Instant now = clock.instant();
        refresh();
        rotate(now);
        checkRoom(user, now);
        SigningKeys.Key key = keys.signing(now);
        long sequence = freeSequence();
        Instant end = Instant.ofEpochMilli(now.plus(terms.life()).toEpochMilli());
        Instant renewedUntil = renewedUntil(now, end);
        Token token = new Token(
                Token.Kind.DELEGATION,
                key.id(),
                sequence,
                Instant.ofEpochMilli(now.toEpochMilli()),
                end,
                user,
                renewer,
                via);
        rows.put(sequence, new TokenRows.Row(user, end, renewedUntil, false), now, this::write);
        ring = computed(now);
        LOG.info("issued token {} of {}, renewed by '{}', until {}", sequence, user, renewer, end);
        return new IssuedToken(token.sign(key.pair().getPrivate()), end, renewedUntil);
    }

    /**
     * Issues a token for a process that has proved its identity. It has no row: only its expiry ends it.
     *
     * @param via who acts for the user; empty: no proxy does
     * @param life for how long, at most as long as any token lives
     * @throws IllegalArgumentException for names that are too long
     */
    public synchronized IssuedToken session(String user, String via, Duration life) throws IOException {
        Instant now = clock.instant();
        refresh();
        rotate(now);
        SigningKeys.Key key = keys.signing(now);
        // Their key is known for as long as other tokens live.
        Duration most = life.compareTo(terms.life()) < 0 ? life : terms.life();
        Instant end = Instant.ofEpochMilli(now.plus(most).toEpochMilli());
        Token token = new Token(
                Token.Kind.SESSION,
                key.id(),
                freeSequence(),
                Instant.ofEpochMilli(now.toEpochMilli()),
                end,
                user,
                "",
                via);
        return new IssuedToken(token.sign(key.pair().getPrivate()), end, end);
    }

    private Instant renewedUntil(Instant now, Instant end) {
        Instant renewed = Instant.ofEpochMilli(now.plus(terms.renewal()).toEpochMilli());
        return renewed.isBefore(end) ? renewed : end;
    }

    private void checkRoom(String user, Instant now) {
        long living = living(now).count();
        long own = living(now).filter(row -> row.user().equals(user)).count();
        if (living >= MOST_TOKENS || own >= MOST_OF_A_USER) {
            throw new IllegalArgumentException(
                    "%d tokens live, %d of %s: no more than %d and %d may; wait until some end"
                            .formatted(living, own, user, MOST_TOKENS, MOST_OF_A_USER));
        }
    }

    private Stream<TokenRows.Row> living(Instant now) {
        return rows.all().values().stream().filter(row -> row.end().isAfter(now));
    }

    private long freeSequence() {
        long sequence;
        do {
            sequence = UUID.randomUUID().getMostSignificantBits();
        } while (rows.all().containsKey(sequence));
        return sequence;
    }

    /** Returns the content of a token, if it is valid here. */
    public Token verified(String text) throws InvalidTokenException {
        return verifier.verify(text);
    }

    /** Makes a token valid for longer, up to its end; returns until when it is. */
    public synchronized Instant renew(Token token) throws IOException {
        Instant now = clock.instant();
        refresh();
        TokenRows.Row row = row(token);
        if (row.isRefused(now)) {
            throw new IllegalArgumentException(
                    "the token of %s was cancelled, or not renewed in time".formatted(token.user()));
        }
        Instant renewedUntil = renewedUntil(now, row.end());
        rows.put(token.sequence(), new TokenRows.Row(row.user(), row.end(), renewedUntil, false), now, this::write);
        ring = computed(now);
        return renewedUntil;
    }

    /** Makes a token invalid. */
    public synchronized void cancel(Token token) throws IOException {
        Instant now = clock.instant();
        refresh();
        TokenRows.Row row = row(token);
        rows.put(
                token.sequence(), new TokenRows.Row(row.user(), row.end(), row.renewedUntil(), true), now, this::write);
        ring = computed(now);
        LOG.info("cancelled token {} of {}", token.sequence(), token.user());
    }

    private TokenRows.Row row(Token token) {
        TokenRows.Row row = rows.all().get(token.sequence());
        if (row == null) {
            throw new IllegalArgumentException("this master does not know the token of " + token.user());
        }
        return row;
    }

    /** Returns the current key ring by which a server checks tokens itself. */
    public KeyRing ring() {
        Instant now = clock.instant();
        Ring current = ring;
        return current.holds(texts.version(), now) ? current.ring() : renewedRing(now);
    }

    /**
     * Returns the current keys for other groups, with the state of each token.
     *
     * @param group of this master
     */
    public synchronized MasterGroupKeys published(String group) {
        KeyRing current = ring();
        Instant now = clock.instant();
        Map<Long, Instant> renewedUntil = rows.all().entrySet().stream()
                .filter(entry -> entry.getValue().end().isAfter(now)
                        && !current.refused().contains(entry.getKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().renewedUntil()));
        return new MasterGroupKeys(group, now, terms.life(), terms.renewal(), current, renewedUntil);
    }

    private synchronized KeyRing renewedRing(Instant now) {
        try {
            refresh();
            rotate(now);
        } catch (IOException e) {
            // The key that signs goes on to do so; a request for a token fails with the reason.
            LOG.warn("the next key of tokens cannot be written: {}", e.toString());
        }
        ring = computed(now);
        return ring.ring();
    }

    /** Takes over what another member of the group has written. */
    private void refresh() throws IOException {
        long version = texts.version();
        if (version != known) {
            keys = SigningKeys.read(texts, terms, ids);
            rows = TokenRows.read(texts);
            known = version;
        }
    }

    private void rotate(Instant now) throws IOException {
        if (texts.mayChange()) {
            keys.rotate(now, this::write);
        }
    }

    private void write(String name, String text) throws IOException {
        texts.write(name, text, known);
        known++;
    }

    private Ring computed(Instant now) {
        Map<Long, TokenRows.Row> all = rows.all();
        Set<Long> refused = all.entrySet().stream()
                .filter(entry ->
                        entry.getValue().end().isAfter(now) && entry.getValue().isRefused(now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        Instant until = all.values().stream()
                .filter(row -> !row.isRefused(now))
                .map(TokenRows.Row::renewedUntil)
                .reduce(keys.nextRotation(), (one, other) -> one.isBefore(other) ? one : other);
        // A rotation that is due could not be written: it is tried again soon, not with every call.
        Instant next = until.isAfter(now) ? until : now.plus(SOON);
        return new Ring(new KeyRing(keys.published(), refused), known, now, next);
    }
}
