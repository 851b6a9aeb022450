// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import io.packing.bdt.MasterGroupKeys;
import io.packing.bdt.MovedException;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.transport.token.InvalidTokenException;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import java.io.IOException;
import java.security.PublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last word of the other groups of masters about their tokens, so that these are good here too. It outlives a restart of
 * this master. Thread-safe.
 */
public final class OtherMasterGroups {
    private static final Logger LOG = LoggerFactory.getLogger(OtherMasterGroups.class);
    /** Clocks of two groups may be that far apart. */
    private static final Duration CLOCKS_APART = Duration.ofMinutes(5);
    /** An unchanged text is written again after this time, because the time of hearing counts after a restart. */
    private static final Duration WRITTEN_AGAIN = Duration.ofHours(1);

    private final Optional<MasterTexts> texts;
    private final Map<String, String> addresses;
    private final Clock clock;
    private final Instant opened;
    private final Map<String, HeardMasterGroup> written = new HashMap<>();
    private volatile Map<String, HeardMasterGroup> heard = Map.of();
    private volatile Merged merged = new Merged(KeyRing.EMPTY, Map.of(), Instant.MAX, Instant.MIN, KeyRing.EMPTY);

    /** A ring with the keys of all groups, and of what it was made, and when it is another one. */
    private record Merged(KeyRing own, Map<String, HeardMasterGroup> of, Instant from, Instant until, KeyRing ring) {
        @SuppressWarnings(
                "ReferenceEquality") // Equal ones that are others cost one more merging; comparing costs it each time.
        boolean holds(KeyRing ownNow, Map<String, HeardMasterGroup> heardNow, Instant now) {
            return own == ownNow && of == heardNow && !now.isBefore(from) && now.isBefore(until);
        }
    }

    private OtherMasterGroups(Optional<MasterTexts> texts, Map<String, String> addresses, Clock clock) {
        this.texts = texts;
        this.addresses = Map.copyOf(addresses);
        this.clock = clock;
        this.opened = clock.instant();
    }

    /** Returns the other groups of a master without a group: none. */
    public static OtherMasterGroups none() {
        return new OtherMasterGroups(Optional.empty(), Map.of(), Clock.systemUTC());
    }

    /**
     * Opens the last word of these groups from before this master started.
     *
     * @param texts where it is kept
     * @param addresses of each of them, by name; no other group is listened to
     */
    public static OtherMasterGroups open(MasterTexts texts, Map<String, String> addresses, Clock clock) {
        OtherMasterGroups groups = new OtherMasterGroups(Optional.of(texts), addresses, clock);
        groups.read(texts);
        return groups;
    }

    private synchronized void read(MasterTexts from) {
        Map<String, HeardMasterGroup> found = new HashMap<>();
        for (String group : addresses.keySet()) {
            try {
                from.read(group).ifPresent(text -> found.put(group, HeardMasterGroup.decode(group, text)));
            } catch (IOException | IllegalArgumentException e) {
                LOG.warn(
                        "{} cannot be read, so tokens of group {} are refused until it is heard of: {}",
                        from.where(group),
                        group,
                        e.toString());
            }
        }
        written.putAll(found);
        heard = Map.copyOf(found);
    }

    /** The addresses of each group, by name. */
    public Map<String, String> addresses() {
        return addresses;
    }

    /**
     * Takes what a group says.
     *
     * @throws IllegalArgumentException when it is another group that says it
     */
    public synchronized void take(String group, MasterGroupKeys said) {
        if (!said.group().equals(group) || !addresses.containsKey(group)) {
            throw new IllegalArgumentException(
                    "the master at the addresses of group %s says that it is of group '%s': give all masters one list of groups"
                            .formatted(group, said.group()));
        }
        HeardMasterGroup now = new HeardMasterGroup(withOwnKeysOnly(said), clock.instant());
        Map<String, HeardMasterGroup> next = new HashMap<>(heard);
        next.put(group, now);
        heard = Map.copyOf(next);
        write(group, now);
    }

    /** Whatever a group says, it decides about tokens of its own keys only. */
    private static MasterGroupKeys withOwnKeysOnly(MasterGroupKeys said) {
        KeyIds ids = KeyIds.of(said.group());
        Map<Integer, PublicKey> keys = new HashMap<>(said.ring().keys());
        keys.keySet().removeIf(id -> !ids.has(id));
        KeyRing ring = new KeyRing(keys, said.ring().refused());
        return new MasterGroupKeys(said.group(), said.now(), said.life(), said.renewal(), ring, said.renewedUntil());
    }

    private void write(String group, HeardMasterGroup now) {
        HeardMasterGroup before = written.get(group);
        boolean known = before != null
                && now.said().saysTheSameAs(before.said())
                && now.at().isBefore(before.at().plus(WRITTEN_AGAIN));
        if (known || texts.isEmpty()) {
            return;
        }
        try {
            texts.get().write(group, now.encode(), texts.get().version());
            written.put(group, now);
        } catch (IOException e) {
            // It is known while this process runs; the next time that it is heard it is written again.
            LOG.warn("{} cannot be written: {}", texts.get().where(group), e.toString());
        }
    }

    /** Takes no token of a group from now on, until it is heard of again. */
    public synchronized void forget(String group) {
        Map<String, HeardMasterGroup> next = new HashMap<>(heard);
        HeardMasterGroup unused = next.remove(group);
        heard = Map.copyOf(next);
    }

    /** Returns the time of a group's last word, by this master's clock. */
    public Optional<Instant> heard(String group) {
        return Optional.ofNullable(heard.get(group)).map(HeardMasterGroup::at);
    }

    /** Returns the time since then; without a word from the group, since this master started. */
    public Duration silence(String group) {
        return Duration.between(heard(group).orElse(opened), clock.instant());
    }

    /** Returns the other group that issued a token; nothing else of the token is checked. */
    public Optional<MovedException> issuer(String token) throws InvalidTokenException {
        int id = Token.keyIdOf(token);
        return addresses.entrySet().stream()
                .filter(group -> KeyIds.of(group.getKey()).has(id))
                .findFirst()
                .map(group -> new MovedException(
                        "the token was issued by group " + group.getKey(), group.getKey(), group.getValue()));
    }

    /** Returns a key ring for the tokens of all groups, from the key ring of this master's group. */
    public KeyRing with(KeyRing own) {
        if (addresses.isEmpty()) {
            return own;
        }
        Instant now = clock.instant();
        Merged current = merged;
        if (!current.holds(own, heard, now)) {
            current = merged(own, heard, now);
            merged = current;
        }
        return current.ring();
    }

    private static Merged merged(KeyRing own, Map<String, HeardMasterGroup> heard, Instant now) {
        Map<Integer, PublicKey> keys = new HashMap<>(own.keys());
        Set<Long> refused = new HashSet<>(own.refused());
        Map<Integer, KeyRing.Heard> until = new HashMap<>();
        Instant next = Instant.MAX;
        for (HeardMasterGroup group : heard.values()) {
            MasterGroupKeys said = group.said();
            // All tokens that it had issued by then have ended.
            Instant end = group.at().plus(said.life()).plus(CLOCKS_APART);
            if (!end.isAfter(now)) {
                continue;
            }
            next = earlier(next, end);
            KeyRing.Heard upTo = new KeyRing.Heard(said.now(), said.renewal());
            said.ring().keys().forEach((id, key) -> {
                if (keys.putIfAbsent(id, key) == null) {
                    until.put(id, upTo);
                }
            });
            refused.addAll(said.ring().refused());
            for (Map.Entry<Long, Instant> token : said.renewedUntil().entrySet()) {
                Instant last = token.getValue().plus(CLOCKS_APART);
                if (last.isAfter(now)) {
                    next = earlier(next, last);
                } else {
                    boolean unused = refused.add(token.getKey());
                }
            }
        }
        return new Merged(own, heard, now, next, new KeyRing(keys, refused, until));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
