// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A writer of records, maps, lists, optionals, texts, numbers and flags as JSON (RFC 8259). It writes a record as an
 * object. Each key is a component's name, with {@code _} before a former capital letter. It writes a number that is not
 * finite, or an empty optional, as null. Texts are safe inside HTML too: it escapes {@code <}, {@code >} and {@code &}.
 */
final class JsonText {
    private final StringBuilder out = new StringBuilder();

    private JsonText() {}

    /**
     * Returns the JSON of a value.
     *
     * @throws IllegalArgumentException for a value of another kind
     */
    static String of(Object value) {
        JsonText text = new JsonText();
        text.value(value);
        return text.out.toString();
    }

    private void value(@Nullable Object value) {
        if (value == null) {
            out.append("null");
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null));
        } else if (value instanceof Double || value instanceof Float) {
            number(((Number) value).doubleValue());
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof CharSequence text) {
            string(text);
        } else if (value instanceof Map<?, ?> map) {
            map(map);
        } else if (value instanceof Iterable<?> all) {
            list(all.iterator());
        } else if (value instanceof Record item) {
            record(item);
        } else {
            throw new IllegalArgumentException(
                    "no JSON for a " + value.getClass().getName());
        }
    }

    private void number(double value) {
        if (!Double.isFinite(value)) {
            out.append("null");
        } else if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
            out.append((long) value);
        } else {
            out.append(value);
        }
    }

    private void list(Iterator<?> all) {
        out.append('[');
        while (all.hasNext()) {
            value(all.next());
            out.append(all.hasNext() ? "," : "");
        }
        out.append(']');
    }

    private void map(Map<?, ?> map) {
        out.append('{');
        String between = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(between);
            member(String.valueOf(entry.getKey()), entry.getValue());
            between = ",";
        }
        out.append('}');
    }

    private void record(Record item) {
        out.append('{');
        String between = "";
        for (RecordComponent component : item.getClass().getRecordComponents()) {
            out.append(between);
            member(key(component.getName()), read(item, component));
            between = ",";
        }
        out.append('}');
    }

    private void member(String key, @Nullable Object value) {
        string(key);
        out.append(':');
        value(value);
    }

    private static @Nullable Object read(Record item, RecordComponent component) {
        try {
            return component.getAccessor().invoke(item);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException("%s cannot be read".formatted(component), e);
        }
    }

    private static String key(String name) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                key.append('_').append(Character.toLowerCase(c));
            } else {
                key.append(c);
            }
        }
        return key.toString();
    }

    private void string(CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c >= 0x7f || c == '<' || c == '>' || c == '&') {
                out.append("\\u").append(String.format("%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
