// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import io.packing.bdt.MasterGroupKeys;
import io.packing.transport.token.KeyRing;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The last word of another group of masters about its tokens, as a text.
 *
 * <pre>
 * packing tokens of another group 1
 * heard AT NOW LIFE RENEWAL         milliseconds; AT by the clock of this master, NOW by that of the other one
 * key ID KEY                        for each key; base64 of X.509
 * refused SEQUENCE                  for each token that is refused
 * renewed SEQUENCE UNTIL            for each other one
 * </pre>
 *
 * @param at when this master heard it, by its own clock
 */
record HeardMasterGroup(MasterGroupKeys said, Instant at) {
    private static final String FIRST_LINE = "packing tokens of another group 1";

    String encode() {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        text.append("heard %d %d %d %d%n"
                .formatted(
                        at.toEpochMilli(),
                        said.now().toEpochMilli(),
                        said.life().toMillis(),
                        said.renewal().toMillis()));
        Base64.Encoder base64 = Base64.getEncoder();
        said.ring()
                .keys()
                .forEach(
                        (id, key) -> text.append("key %d %s%n".formatted(id, base64.encodeToString(key.getEncoded()))));
        said.ring().refused().forEach(sequence -> text.append("refused %d%n".formatted(sequence)));
        said.renewedUntil()
                .forEach((sequence, until) -> text.append("renewed %d %d%n".formatted(sequence, until.toEpochMilli())));
        return text.toString();
    }

    /** @throws IllegalArgumentException when the text is damaged */
    static HeardMasterGroup decode(String group, String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() < 2 || !lines.get(0).equals(FIRST_LINE)) {
            throw new IllegalArgumentException("its first lines are damaged");
        }
        String[] times = parts(lines.get(1), "heard", 5);
        Map<Integer, PublicKey> keys = new HashMap<>();
        Set<Long> refused = new HashSet<>();
        Map<Long, Instant> renewedUntil = new HashMap<>();
        for (String line : lines.subList(2, lines.size())) {
            if (line.startsWith("key ")) {
                String[] key = parts(line, "key", 3);
                keys.put(
                        Integer.parseInt(key[1]),
                        KeyRing.publicKey(Base64.getDecoder().decode(key[2])));
            } else if (line.startsWith("refused ")) {
                refused.add(Long.parseLong(parts(line, "refused", 2)[1]));
            } else {
                String[] token = parts(line, "renewed", 3);
                renewedUntil.put(Long.parseLong(token[1]), millis(token[2]));
            }
        }
        MasterGroupKeys said = new MasterGroupKeys(
                group,
                millis(times[2]),
                Duration.ofMillis(Long.parseLong(times[3])),
                Duration.ofMillis(Long.parseLong(times[4])),
                new KeyRing(keys, refused),
                renewedUntil);
        return new HeardMasterGroup(said, millis(times[1]));
    }

    private static Instant millis(String number) {
        return Instant.ofEpochMilli(Long.parseLong(number));
    }

    private static String[] parts(String line, String first, int count) {
        String[] parts = line.split(" ", -1);
        if (parts.length != count || !parts[0].equals(first)) {
            throw new IllegalArgumentException("a line is not '%s' with %d more words".formatted(first, count - 1));
        }
        return parts;
    }
}
