// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One documented configuration setting: its key, default, meaning and parser.
 *
 * @param key the full dotted key, as a user writes it
 * @param defaultText the default in the form that a user writes; empty when the option has none
 * @param meaning one sentence for the reference table
 * @param parser turns the text into a value; throws {@link IllegalArgumentException} with the valid values
 * @param replaced keys of earlier versions, which are still valid
 * @param <T> the value's type
 */
public record Option<T>(
        String key, String defaultText, String meaning, Function<String, T> parser, List<String> replaced) {
    public Option {
        Objects.requireNonNull(parser);
        replaced = List.copyOf(replaced);
        Stream.concat(Stream.of(key), replaced.stream()).forEach(each -> {
            if (!each.matches("[a-z0-9]+([.-][a-z0-9]+)*")) {
                throw new IllegalArgumentException("bad option key '%s'".formatted(each));
            }
        });
    }

    /** Creates an option that never had another key. */
    public Option(String key, String defaultText, String meaning, Function<String, T> parser) {
        this(key, defaultText, meaning, parser, List.of());
    }

    /** Returns this option with the keys that it had in earlier versions. */
    public Option<T> replacing(String... keys) {
        return new Option<>(key, defaultText, meaning, parser, List.of(keys));
    }

    T parse(String text) {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "option %s: bad value '%s': %s".formatted(key, hidden(text), e.getMessage()), e);
        }
    }

    /** Returns the text without the user and the password of a URL in it. */
    private static String hidden(String text) {
        return text.replaceAll("//[^/@]*@", "//...@");
    }
}
