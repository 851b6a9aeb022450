// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rights of users, as lines {@code USER REPOSITORIES RIGHTS}: {@code alice team/* pull,push}. The user {@code *}
 * stands for all clients, also those without a name. In repositories {@code *} stands for any characters.
 */
public final class Rights {
    /** The user that stands for all clients. */
    static final String EVERYBODY = "*";

    private record Line(String user, Pattern repositories, Set<Right> rights) {}

    private final List<Line> lines;

    private Rights(List<Line> lines) {
        this.lines = List.copyOf(lines);
    }

    /** Returns all rights for each user who has a name. */
    static Rights ofUsers(Set<String> users) {
        Pattern all = Pattern.compile(".*");
        return new Rights(users.stream()
                .map(user -> new Line(user, all, EnumSet.allOf(Right.class)))
                .toList());
    }

    /** Reads lines; {@link IllegalArgumentException} names a line that cannot be read. */
    public static Rights parse(List<String> text) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < text.size(); i++) {
            String line = text.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+", -1);
            if (words.length != 3) {
                throw new IllegalArgumentException(
                        "rights, line %d: want USER REPOSITORIES RIGHTS, such as: alice team/* pull,push"
                                .formatted(i + 1));
            }
            lines.add(new Line(words[0], glob(words[1]), rights(words[2], i + 1)));
        }
        return new Rights(lines);
    }

    private static Pattern glob(String text) {
        StringBuilder regex = new StringBuilder();
        for (String part : text.split("((?<=\\*)|(?=\\*))", -1)) {
            regex.append(part.equals("*") ? ".*" : Pattern.quote(part));
        }
        return Pattern.compile(regex.toString());
    }

    private static Set<Right> rights(String text, int line) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (String word : text.split(",", -1)) {
            try {
                rights.add(Right.valueOf(word.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "rights, line %d: '%s' is none of pull, push, delete".formatted(line, word), e);
            }
        }
        return rights;
    }

    /** Returns the names in it, without the one that stands for all clients. */
    Set<String> users() {
        return Set.copyOf(lines.stream()
                .map(Line::user)
                .filter(user -> !user.equals(EVERYBODY))
                .toList());
    }

    /** Returns whether a user, or a client without a name, has a right. */
    boolean allow(Optional<String> user, String repository, Right right) {
        return lines.stream()
                .anyMatch(line -> (line.user().equals(EVERYBODY) || user.equals(Optional.of(line.user())))
                        && line.rights().contains(right)
                        && line.repositories().matcher(repository).matches());
    }

    /** Returns whether a client without a name has any right. */
    boolean allowsEverybody() {
        return lines.stream().anyMatch(line -> line.user().equals(EVERYBODY));
    }
}
