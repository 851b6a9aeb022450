// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import io.packing.bdt.master.texts.MasterTexts;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys of a master: one that signs, the one that will sign after it, and older ones until no token of theirs lives. The next key
 * is known to workers long before it signs. Confined to its authority.
 */
final class SigningKeys {
    private static final String FILE = "keys";
    private static final String FIRST_LINE = "packing token keys 1";
    /** Workers and other groups hear of a key within this time. */
    private static final Duration HEARD_OF = Duration.ofMinutes(1);

    private final TokenOptions terms;
    private final KeyIds ids;
    /** By the time from which each signs. */
    private List<Key> keys;

    /** @param from since when it signs */
    record Key(int id, Instant from, KeyPair pair) {}

    /** Makes a text with a name durable. */
    interface Writing {
        void write(String name, String text) throws IOException;
    }

    private SigningKeys(TokenOptions terms, KeyIds ids, List<Key> keys) {
        this.terms = terms;
        this.ids = ids;
        this.keys = keys;
    }

    /** The keys that were written; there may be none. */
    static SigningKeys read(MasterTexts texts, TokenOptions terms, KeyIds ids) throws IOException {
        Optional<String> text = texts.read(FILE);
        return new SigningKeys(terms, ids, text.isPresent() ? decode(text.get(), texts.where(FILE)) : List.of());
    }

    /** Makes the next key when there is none, and forgets those that no living token needs. */
    void rotate(Instant now, Writing writing) throws IOException {
        List<Key> next = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            // A key signs until the one after it does.
            boolean ended = i + 1 < keys.size()
                    && !keys.get(i + 1).from().plus(terms.life()).isAfter(now);
            if (!ended && !(i > 0 && isStrange(keys.get(i), now))) {
                next.add(keys.get(i));
            }
        }
        if (next.isEmpty()) {
            next.add(make(next, now));
        }
        if (!last(next).from().isAfter(now)) {
            boolean own = ids.has(last(next).id());
            next.add(make(next, now.plus(own || terms.renewal().compareTo(HEARD_OF) < 0 ? terms.renewal() : HEARD_OF)));
        }
        if (!next.equals(keys)) {
            writing.write(FILE, encode(next));
            keys = List.copyOf(next);
        }
    }

    /** Returns whether the key is of another group or of none, and has signed nothing: one of this group replaces it. */
    private boolean isStrange(Key key, Instant now) {
        return !ids.has(key.id()) && key.from().isAfter(now);
    }

    private Key make(List<Key> after, Instant from) {
        int last = Stream.concat(keys.stream(), after.stream())
                .map(Key::id)
                .filter(ids::has)
                .reduce(0, (older, newer) -> newer);
        try {
            return new Key(
                    ids.after(last),
                    from,
                    KeyPairGenerator.getInstance(Token.ALGORITHM).generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + Token.ALGORITHM, e);
        }
    }

    private static Key last(List<Key> keys) {
        return keys.get(keys.size() - 1);
    }

    /** The one that signs. */
    Key signing(Instant now) {
        return keys.stream()
                .filter(key -> !key.from().isAfter(now))
                .reduce((older, newer) -> newer)
                // The clock was set back.
                .orElse(keys.get(0));
    }

    /** Returns the latest time of the next key change; {@link Instant#MAX} without keys. */
    Instant nextRotation() {
        return keys.isEmpty() ? Instant.MAX : last(keys).from();
    }

    Map<Integer, PublicKey> published() {
        Map<Integer, PublicKey> all = new HashMap<>();
        keys.forEach(key -> all.put(key.id(), key.pair().getPublic()));
        return all;
    }

    private static String encode(List<Key> keys) {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        Base64.Encoder base64 = Base64.getEncoder();
        for (Key key : keys) {
            text.append("%d %d %s %s%n"
                    .formatted(
                            key.id(),
                            key.from().toEpochMilli(),
                            base64.encodeToString(key.pair().getPrivate().getEncoded()),
                            base64.encodeToString(key.pair().getPublic().getEncoded())));
        }
        return text.toString();
    }

    private static List<Key> decode(String text, String where) throws IOException {
        List<String> lines = text.lines().toList();
        try {
            if (!lines.get(0).equals(FIRST_LINE)) {
                throw new IllegalArgumentException("it begins with '%s'".formatted(lines.get(0)));
            }
            KeyFactory factory = KeyFactory.getInstance(Token.ALGORITHM);
            Base64.Decoder base64 = Base64.getDecoder();
            List<Key> keys = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] parts = line.split(" ", -1);
                keys.add(new Key(
                        Integer.parseInt(parts[0]),
                        Instant.ofEpochMilli(Long.parseLong(parts[1])),
                        new KeyPair(
                                KeyRing.publicKey(base64.decode(parts[3])),
                                factory.generatePrivate(new PKCS8EncodedKeySpec(base64.decode(parts[2]))))));
            }
            return List.copyOf(keys);
        } catch (GeneralSecurityException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | NoSuchElementException e) {
            throw new IOException(
                    "%s is damaged; remove it to make new keys, all tokens are refused then".formatted(where), e);
        }
    }
}
