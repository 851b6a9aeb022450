// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import com.google.common.hash.Hashing;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The attributes that few inodes have beside the usual ones (RFC 0009). Their rows are longer by it, and no others.
 *
 * @param extended extended attributes by name
 * @param nanos of the modification time beyond its millisecond
 * @param changed when the inode or its attributes changed last; empty: with its modification time
 * @param links how many names lead to a file that has, or had, several; 0: it has one, and always had
 */
public record ExtraAttributes(
        SortedMap<String, ExtendedValue> extended, int nanos, Optional<Instant> changed, int links) {
    public static final ExtraAttributes NONE = new ExtraAttributes(new TreeMap<>(), 0, Optional.empty());

    /** Names and values of one inode, in bytes. */
    static final int MOST_BYTES = 128 << 10;

    private static final int EXTENDED = 1;
    private static final int NANOS = 2;
    private static final int CHANGED = 4;
    private static final int LINKS = 8;

    public ExtraAttributes {
        extended = Collections.unmodifiableSortedMap(new TreeMap<>(extended));
    }

    /** Makes the attributes of an inode with one name. */
    ExtraAttributes(SortedMap<String, ExtendedValue> extended, int nanos, Optional<Instant> changed) {
        this(extended, nanos, changed, 0);
    }

    boolean isNone() {
        return extended.isEmpty() && nanos == 0 && changed.isEmpty() && links == 0;
    }

    public ExtraAttributes withLinks(int count) {
        return count == links ? this : new ExtraAttributes(extended, nanos, changed, count);
    }

    /** Returns the attributes after a change. Impossible steps are looked for with {@link #problem}. */
    public ExtraAttributes with(RareAttributeChange change, OptionalLong mtimeMillis) {
        SortedMap<String, ExtendedValue> now = new TreeMap<>(extended);
        for (ExtendedChange step : change.extended()) {
            switch (step.kind()) {
                case PUT, CREATE, REPLACE -> now.put(step.name(), step.value());
                case REMOVE, DROP -> now.remove(step.name());
                case CLEAR -> now.clear();
            }
        }
        Optional<Instant> time = change.changed();
        if (mtimeMillis.isPresent()) {
            // Who sets the one and does not know the other means both.
            Instant modified = RareAttributes.time(mtimeMillis.getAsLong(), change.nanos());
            return new ExtraAttributes(now, change.nanos(), time.filter(at -> !at.equals(modified)), links);
        }
        return new ExtraAttributes(now, nanos, time.isPresent() ? time : changed, links);
    }

    /** Returns the attributes after a change of the bytes: both times are those of the change. */
    public ExtraAttributes withoutTimes() {
        return nanos == 0 && changed.isEmpty() ? this : new ExtraAttributes(extended, 0, Optional.empty(), links);
    }

    /** Returns the attributes without extended attributes of some names. */
    public ExtraAttributes without(Predicate<String> names) {
        if (extended.keySet().stream().noneMatch(names)) {
            return this;
        }
        SortedMap<String, ExtendedValue> left = new TreeMap<>(extended);
        left.keySet().removeIf(names);
        return new ExtraAttributes(left, nanos, changed, links);
    }

    /** Returns the reason why steps cannot be taken one after the other; DONE: they can. */
    public Outcome problem(List<ExtendedChange> steps) {
        SortedMap<String, ExtendedValue> now = new TreeMap<>(extended);
        for (ExtendedChange step : steps) {
            boolean isThere = now.containsKey(step.name());
            switch (step.kind()) {
                case CREATE -> {
                    if (isThere) {
                        return Outcome.EXISTS;
                    }
                    now.put(step.name(), step.value());
                }
                case REPLACE, REMOVE -> {
                    if (!isThere) {
                        return Outcome.NO_ATTRIBUTE;
                    }
                    now.remove(step.name());
                    if (step.kind() == ExtendedChange.Kind.REPLACE) {
                        now.put(step.name(), step.value());
                    }
                }
                case PUT -> now.put(step.name(), step.value());
                case DROP -> now.remove(step.name());
                case CLEAR -> now.clear();
            }
        }
        return bytes(now) > MOST_BYTES ? Outcome.NO_ROOM : Outcome.DONE;
    }

    /** Returns the length of all names and values. */
    public int bytes() {
        return (int) Math.min(Integer.MAX_VALUE, bytes(extended));
    }

    private static long bytes(Map<String, ExtendedValue> all) {
        long bytes = 0;
        for (Map.Entry<String, ExtendedValue> each : all.entrySet()) {
            bytes += each.getKey().getBytes(StandardCharsets.UTF_8).length
                    + each.getValue().length();
        }
        return bytes;
    }

    /** Returns a change as the journal has it: with its result, whatever was there before. */
    public static RareAttributeChange settled(RareAttributeChange change) {
        List<ExtendedChange> steps = change.extended().stream()
                .map(step -> switch (step.kind()) {
                    case CREATE, REPLACE -> ExtendedChange.put(step.name(), step.value());
                    case REMOVE -> ExtendedChange.of(ExtendedChange.Kind.DROP, step.name());
                    case PUT, DROP, CLEAR -> step;
                })
                .toList();
        return new RareAttributeChange(steps, change.nanos(), change.changed());
    }

    /** As clients see it. */
    RareAttributes told() {
        return isNone() ? RareAttributes.NONE : new RareAttributes(hash(), nanos, changed, Math.max(1, links));
    }

    private long hash() {
        if (extended.isEmpty()) {
            return 0;
        }
        Bytes.Out out = new Bytes.Out();
        encode(extended, out);
        long hash = Hashing.sha256().hashBytes(out.toBytes()).asLong();
        return hash == 0 ? 1 : hash;
    }

    private static void encode(SortedMap<String, ExtendedValue> extended, Bytes.Out out) {
        out.number(extended.size());
        extended.forEach((name, value) -> out.text(name).blob(value.bytes()));
    }

    byte[] encode() {
        Bytes.Out out = new Bytes.Out()
                .number((extended.isEmpty() ? 0 : EXTENDED)
                        | (nanos == 0 ? 0 : NANOS)
                        | (changed.isEmpty() ? 0 : CHANGED)
                        | (links == 0 ? 0 : LINKS));
        if (!extended.isEmpty()) {
            encode(extended, out);
        }
        if (nanos != 0) {
            out.number(nanos);
        }
        changed.ifPresent(time -> encode(time, out));
        if (links != 0) {
            out.number(links);
        }
        return out.toBytes();
    }

    static void encode(Instant time, Bytes.Out out) {
        out.signed(time.toEpochMilli()).number(RareAttributes.nanos(time));
    }

    static ExtraAttributes decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        long flags = in.number();
        if (flags > (EXTENDED | NANOS | CHANGED | LINKS)) {
            throw new Bytes.MalformedException("extras of unknown flags %x".formatted(flags));
        }
        SortedMap<String, ExtendedValue> extended = new TreeMap<>();
        if ((flags & EXTENDED) != 0) {
            for (int left = in.smallNumber(); left > 0; left--) {
                extended.put(in.text(), new ExtendedValue(in.blob()));
            }
        }
        int nanos = (flags & NANOS) == 0 ? 0 : nanos(in);
        Optional<Instant> changed = (flags & CHANGED) == 0 ? Optional.empty() : Optional.of(time(in));
        int links = (flags & LINKS) == 0 ? 0 : in.smallNumber();
        return new ExtraAttributes(extended, nanos, changed, links);
    }

    static int nanos(Bytes.In in) {
        int nanos = in.smallNumber();
        if (nanos >= RareAttributes.NANOS) {
            throw new Bytes.MalformedException("a millisecond has no nanosecond " + nanos);
        }
        return nanos;
    }

    static Instant time(Bytes.In in) {
        return RareAttributes.time(in.signed(), nanos(in));
    }
}
