// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.Message;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The values that messages are made of: hostile ones, and currently true ones, by the kind of a field. With true values
 * a call gets past the first check. Thread-safe.
 */
public final class FieldValues {
    /** The placeholder for a surrogate without its partner, until the message is bytes: Java cannot encode one. */
    public static final String LONE_SURROGATE = "\u0001\u0002\u0003";

    /** The number of components beyond which a path is deep. */
    public static final int DEEP = 900;

    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        3,
        7,
        127,
        128,
        255,
        4_096,
        10_000,
        65_535,
        1 << 20,
        4 << 20,
        (4 << 20) + 1,
        1 << 24,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        1L << 40,
        1L << 62,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 1,
        Long.MIN_VALUE
    };

    /** The kinds of values by fields' names. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("path", "path"),
            Map.entry("paths", "path"),
            Map.entry("from", "path"),
            Map.entry("to", "path"),
            Map.entry("directory", "path"),
            Map.entry("start_after", "name"),
            Map.entry("owner", "name"),
            Map.entry("group", "name"),
            Map.entry("user", "name"),
            Map.entry("renewer", "name"),
            Map.entry("token", "token"),
            Map.entry("ticket", "ticket"),
            Map.entry("mount", "mount"),
            Map.entry("packing.worker.v1.mount", "peer mount"),
            Map.entry("mode", "mode"),
            Map.entry("length", "length"),
            Map.entry("count", "length"),
            Map.entry("limit", "length"),
            Map.entry("lengths", "ten"),
            Map.entry("stored_lengths", "ten"),
            Map.entry("file_offsets", "zero"),
            Map.entry("blob_offsets", "one"),
            Map.entry("worker", "worker"),
            Map.entry("address", "address"),
            Map.entry("blob", "blob"),
            Map.entry("blobs", "blob"),
            Map.entry("buffer", "buffer"),
            Map.entry("epoch", "epoch"),
            Map.entry("id", "id"),
            Map.entry("ids", "id"),
            Map.entry("file_id", "id"),
            Map.entry("generation", "generation"),
            Map.entry("generations", "generation"),
            Map.entry("request", "request"),
            Map.entry("offset", "zero"),
            Map.entry("extents", "one"),
            Map.entry("extent_blobs", "zero"),
            Map.entry("key", "option"),
            Map.entry("value", "setting"));

    private final Map<String, List<Object>> live = new ConcurrentHashMap<>();

    private final String playground;
    private final int hostile;

    /** Makes words of a system whose hostile callers act below {@code /wild}. */
    public FieldValues() {
        this("/wild", 4);
    }

    /**
     * Makes words of a system.
     *
     * @param playground the directory below which hostile callers make names
     * @param hostile number of draws per hostile one, for kinds with true values
     */
    public FieldValues(String playground, int hostile) {
        this.playground = playground;
        this.hostile = hostile;
        put("request", List.of(1L, 2L, 3L));
        put("one", List.of(1L));
        put("zero", List.of(0L));
        put("ten", List.of(10L));
        put("name", List.of("root", "a", "file"));
        put("mode", List.of(0755L, 0644L));
        put("length", List.of(1L, 10L, 100L));
    }

    /** Sets the true values of a kind. */
    public void put(String kind, List<?> values) {
        live.put(kind, new CopyOnWriteArrayList<>(values));
    }

    /** Sets the true messages of their type, such as a session that is the latest of its worker. */
    public void putWhole(List<? extends Message> messages) {
        put(messages.get(0).getDescriptorForType().getFullName(), messages);
    }

    /** Returns a true message of a type; sometimes, or without one, null. */
    @Nullable
    public Message whole(String type, RandomGenerator random) {
        List<Object> values = live.getOrDefault(type, List.of());
        return values.isEmpty() || random.nextInt(hostile) == 0
                ? null
                : (Message) values.get(random.nextInt(values.size()));
    }

    /**
     * Returns a text for a field.
     *
     * @param field with the package of its message
     */
    public String text(String field, RandomGenerator random) {
        Object alive = alive(field, random);
        return alive != null ? alive.toString() : hostile(random);
    }

    public long number(String field, RandomGenerator random) {
        Object alive = alive(field, random);
        if (alive instanceof Long number) {
            // Some numbers are beside a true one.
            return random.nextInt(8) == 0 ? number + random.nextInt(-1, 2) : number;
        }
        return random.nextInt(6) == 0 ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private @Nullable Object alive(String field, RandomGenerator random) {
        // A field may have different meanings in two protocols.
        String name = field.substring(field.lastIndexOf('.') + 1);
        String kind = KINDS.getOrDefault(field, KINDS.getOrDefault(name, ""));
        List<Object> values = live.getOrDefault(kind, List.of());
        return values.isEmpty() || random.nextInt(hostile) == 0 ? null : values.get(random.nextInt(values.size()));
    }

    private String hostile(RandomGenerator random) {
        return switch (random.nextInt(21)) {
            case 0 -> "";
            case 1 -> "/";
            case 2 -> "/..";
            case 3 -> "/a/../../etc/passwd";
            case 4 -> playground + "/./b";
            case 5 -> "/" + playground + "//b/";
            case 6 -> "/nul\u0000byte";
            case 7 -> "/" + LONE_SURROGATE;
            case 8 -> playground + "/" + "n".repeat(65_534 - playground.length());
            case 9 -> playground + "/" + "n".repeat(65_536);
            case 10, 17 -> playground + "/d".repeat(random.nextInt(2, DEEP - 1));
            case 11, 18, 19 -> playground + "/d".repeat(random.nextInt(6_000, 32_000));
            case 12 -> playground + "/\uD83D\uDE80" + "\u00fc".repeat(random.nextInt(600));
            case 13 -> "%s%n${jndi:x}".toLowerCase(Locale.ROOT);
            case 14 -> playground + "/new-" + random.nextInt(1_000);
            case 15 -> playground + "/deep/new-" + random.nextInt(10) + "/x/" + random.nextInt(10);
            case 16 -> "o".repeat(2_000);
            default -> "-9223372036854775808";
        };
    }
}
