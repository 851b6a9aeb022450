// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.MountHomes;
import io.packing.blob.SoundRead;
import io.packing.store.Homes;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The places of a mount that was evacuated, in an object of each of its stores (RFC 0023). A mount without this object has one place.
 *
 * <pre>
 * packing homes 1
 * called LOCATION          of the store that the mount had first
 * number 3                 grows with each change
 * since 1700000000000000   when the first place became the first, in microseconds
 * token 00f3...            of the last evacuation: the epoch has it by which the store of before gave the mount away
 * rate 0                   the most bytes that a master copies in a second; 0: no limit
 * place KEY=VALUE&...      one line each, the first one first
 * former KEY=VALUE&...     the place of before, when the evacuation has ended
 * alias LOCATION@SERVER    one line for each place that the mount ever had
 * crc32c HEX               of the lines above
 * </pre>
 *
 * @param places one; two during an evacuation
 */
public record HomesRecord(
        String called,
        long number,
        long sinceMicros,
        long token,
        long bytesPerSecond,
        List<Map<String, String>> places,
        Optional<Map<String, String>> former,
        List<String> aliases) {
    public static final String KEY = MasterObject.FOLDER + "homes";
    private static final String FIRST_LINE = "packing homes 1\n";
    private static final int MOST_BYTES = 64 << 10;
    private static final Pattern TEXT =
            Pattern.compile("(" + FIRST_LINE + ".*\n)crc32c ([0-9a-f]{8})\n", Pattern.DOTALL);

    public HomesRecord {
        if (called.isBlank()
                || number < 0
                || sinceMicros < 0
                || bytesPerSecond < 0
                || places.isEmpty()
                || places.size() > 2) {
            throw new IllegalArgumentException("bad homes %d of '%s': %s".formatted(number, called, places));
        }
        places = places.stream().map(Map::copyOf).toList();
        former = former.map(Map::copyOf);
        aliases = List.copyOf(aliases);
    }

    /**
     * Makes the record of a mount that was never evacuated.
     *
     * @param called the location of its store, as clients write it
     * @param alias its address
     */
    public static HomesRecord first(String called, Map<String, String> place, String alias) {
        return new HomesRecord(called, 0, 0, 0, 0, List.of(place), Optional.empty(), List.of(alias));
    }

    /** Returns the record of a mount that goes to another place, or back. */
    public HomesRecord toward(Map<String, String> place, String alias, long newToken, long micros, long rate) {
        List<String> all =
                Stream.concat(aliases.stream(), Stream.of(alias)).distinct().toList();
        return new HomesRecord(
                called, number + 1, micros, newToken, rate, List.of(place, places.get(0)), Optional.empty(), all);
    }

    /** Returns the record of a mount that has come to its first place. */
    HomesRecord arrived() {
        return new HomesRecord(
                called,
                number + 1,
                sinceMicros,
                token,
                0,
                List.of(places.get(0)),
                places.stream().skip(1).findFirst(),
                aliases);
    }

    /** Returns the record of a mount that was about to go to another place, and stayed. */
    public HomesRecord stayed() {
        return new HomesRecord(
                called,
                number,
                sinceMicros,
                token,
                0,
                List.of(places.get(places.size() - 1)),
                Optional.empty(),
                aliases);
    }

    /** Returns whether the blobs are at two places. */
    public boolean isEvacuating() {
        return places.size() > 1;
    }

    /** Returns the number with which the first place became the first. */
    long firstNumber() {
        return isEvacuating() ? number : Math.max(0, number - 1);
    }

    /** Returns them as a store takes them. */
    public Homes homes() {
        return new Homes(number, sinceMicros, places);
    }

    /** Returns them as clients receive them. */
    public MountHomes told() {
        return number == 0 ? MountHomes.NONE : new MountHomes(called, number, sinceMicros, places);
    }

    /** Returns the record in a store; empty when its mount was never evacuated. */
    public static Optional<HomesRecord> find(ObjectStore objects) throws IOException {
        ByteBuffer text;
        try {
            text = objects.getTail(KEY, MOST_BYTES);
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
        int length = text.remaining();
        for (int tries = 1; ; tries++) {
            Optional<HomesRecord> sound = decode(text);
            if (sound.isPresent()) {
                return sound;
            }
            if (tries == SoundRead.TRIES) {
                throw new IOException("%s: object %s is damaged; restore it from the store's versions or a copy"
                        .formatted(objects.location(), KEY));
            }
            text = objects.getAgain(KEY, 0, length);
        }
    }

    /** Writes the record, in the place of an older one. */
    public void write(ObjectStore objects) throws IOException {
        objects.put(KEY, ByteBuffer.wrap(encode()), PutCondition.NONE);
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder(FIRST_LINE);
        text.append("called ").append(encoded(called)).append('\n');
        text.append("number ").append(number).append('\n');
        text.append("since ").append(sinceMicros).append('\n');
        text.append("token ").append("%016x".formatted(token)).append('\n');
        text.append("rate ").append(bytesPerSecond).append('\n');
        places.forEach(place -> text.append("place ").append(line(place)).append('\n'));
        former.ifPresent(place -> text.append("former ").append(line(place)).append('\n'));
        aliases.forEach(alias -> text.append("alias ").append(encoded(alias)).append('\n'));
        String crc = checksum(text.toString());
        text.append("crc32c ").append(crc).append('\n');
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Empty when the bytes are no record, or a damaged one. */
    static Optional<HomesRecord> decode(ByteBuffer bytes) {
        Matcher parts = TEXT.matcher(StandardCharsets.UTF_8.decode(bytes.duplicate()));
        if (!parts.matches() || !parts.group(2).equals(checksum(parts.group(1)))) {
            return Optional.empty();
        }
        Map<String, String> values = new TreeMap<>();
        List<Map<String, String>> places = new ArrayList<>();
        Optional<Map<String, String>> former = Optional.empty();
        List<String> aliases = new ArrayList<>();
        try {
            for (String line : parts.group(1).lines().toList()) {
                String[] words = line.split(" ", 2);
                switch (words[0]) {
                    case "place" -> places.add(place(words[1]));
                    case "former" -> former = Optional.of(place(words[1]));
                    case "alias" -> aliases.add(decoded(words[1]));
                    default -> values.put(words[0], words[1]);
                }
            }
            return Optional.of(new HomesRecord(
                    decoded(values.getOrDefault("called", "")),
                    Long.parseLong(values.getOrDefault("number", "")),
                    Long.parseLong(values.getOrDefault("since", "")),
                    Long.parseUnsignedLong(values.getOrDefault("token", ""), 16),
                    Long.parseLong(values.getOrDefault("rate", "")),
                    places,
                    former,
                    aliases));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String line(Map<String, String> place) {
        return new TreeMap<>(place)
                .entrySet().stream()
                        .map(option -> encoded(option.getKey()) + "=" + encoded(option.getValue()))
                        .collect(Collectors.joining("&"));
    }

    private static Map<String, String> place(String line) {
        Map<String, String> place = new TreeMap<>();
        for (String option : line.split("&", -1)) {
            String[] words = option.split("=", 2);
            if (words.length != 2) {
                throw new IllegalArgumentException("no option: " + option);
            }
            place.put(decoded(words[0]), decoded(words[1]));
        }
        return place;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static String checksum(String lines) {
        CRC32C crc = new CRC32C();
        crc.update(lines.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }
}
