// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One step of a change of a file's or directory's extended attributes.
 *
 * @param name empty for {@link Kind#CLEAR}
 * @param value of the attribute; without meaning where it is removed
 */
public record ExtendedChange(Kind kind, String name, ExtendedValue value) {
    /** The longest name, in bytes of UTF-8. */
    public static final int MOST_NAME_BYTES = 255;

    /** The kinds of a step. */
    public enum Kind {
        /** Sets the value. */
        PUT,
        /** Sets the value; {@link Outcome#EXISTS} when the attribute exists already. */
        CREATE,
        /** Sets the value; {@link Outcome#NO_ATTRIBUTE} when the attribute does not exist. */
        REPLACE,
        /** Removes the attribute; {@link Outcome#NO_ATTRIBUTE} when it does not exist. */
        REMOVE,
        /** Removes the attribute, if it exists. */
        DROP,
        /** Removes all attributes. */
        CLEAR
    }

    private static final ExtendedValue NONE = new ExtendedValue(new byte[0]);

    /** A step that removes all attributes of a file. */
    public static final ExtendedChange CLEAR = new ExtendedChange(Kind.CLEAR, "", NONE);

    public ExtendedChange {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if ((kind == Kind.CLEAR) != name.isEmpty() || bytes > MOST_NAME_BYTES || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("extended attribute '%.300s': a name has 1 to %d bytes, and no NUL"
                    .formatted(name, MOST_NAME_BYTES));
        }
        if (value.length() > ExtendedValue.MOST_BYTES) {
            throw new IllegalArgumentException("extended attribute %s: a value has at most %d bytes, and not %d"
                    .formatted(name, ExtendedValue.MOST_BYTES, value.length()));
        }
    }

    public static ExtendedChange put(String name, ExtendedValue value) {
        return new ExtendedChange(Kind.PUT, name, value);
    }

    /** Returns a step without a value. */
    public static ExtendedChange of(Kind kind, String name) {
        return new ExtendedChange(kind, name, NONE);
    }

    /** Returns the steps that give a new file these attributes. */
    public static List<ExtendedChange> putAll(Map<String, ExtendedValue> all) {
        return all.entrySet().stream()
                .map(each -> put(each.getKey(), each.getValue()))
                .toList();
    }

    /** Returns the steps that give a file these attributes, and no others. */
    public static List<ExtendedChange> exactly(Map<String, ExtendedValue> all) {
        List<ExtendedChange> steps = new ArrayList<>(List.of(CLEAR));
        steps.addAll(putAll(all));
        return steps;
    }
}
