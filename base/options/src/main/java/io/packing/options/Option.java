package io.packing.options;

import java.util.Objects;
import java.util.function.Function;

/**
 * One documented configuration setting: its key, default, meaning and parser.
 *
 * @param key the full dotted key, as a user writes it
 * @param defaultText the default as a user would write it; empty when the option has none
 * @param meaning one sentence for the reference table
 * @param parser turns the text into a value; throws {@link IllegalArgumentException} with what is accepted
 * @param <T> the value's type
 */
public record Option<T>(String key, String defaultText, String meaning, Function<String, T> parser) {
    public Option {
        Objects.requireNonNull(parser);
        if (!key.matches("[a-z0-9]+([.-][a-z0-9]+)*")) {
            throw new IllegalArgumentException("bad option key '%s'".formatted(key));
        }
    }

    T parse(String text) {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("option %s: bad value '%s': %s".formatted(key, text, e.getMessage()), e);
        }
    }
}
