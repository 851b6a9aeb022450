// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.owner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An operator's map of owners of files to accounts of the machine.
 *
 * @param numbers true if numbers in the table are the numbers of users and groups, as in the trees of images
 * @param users numbers of users by their names in the table
 * @param groups numbers of groups by their names in the table
 */
public record OwnerMap(boolean numbers, Map<String, Integer> users, Map<String, Integer> groups) {
    /** The map by which owners are the accounts that the machine knows. */
    public static final OwnerMap NAMES = new OwnerMap(false, Map.of(), Map.of());
    /** The map by which owners are the numbers of an image, which mean the same on every machine. */
    public static final OwnerMap TREES = new OwnerMap(true, Map.of(), Map.of());

    private static final String NUMBERS = "packing.mount.owners.are.numbers";
    private static final String USERS = "packing.mount.users";
    private static final String GROUPS = "packing.mount.groups";

    public OwnerMap {
        users = Map.copyOf(users);
        groups = Map.copyOf(groups);
        check(users);
        check(groups);
    }

    private static void check(Map<String, Integer> map) {
        for (String name : map.keySet()) {
            if (name.chars().anyMatch(c -> c == ',' || c == '=' || Character.isISOControl(c))) {
                throw new IllegalArgumentException(
                        "'%s' cannot be mapped: it has a comma or a sign in it".formatted(name));
            }
        }
        if (map.values().stream().distinct().count() < map.size()) {
            throw new IllegalArgumentException("two names have one number: %s".formatted(new TreeMap<>(map)));
        }
    }

    /**
     * Reads the operator's options.
     *
     * @param users each {@code NAME=NUMBER}
     * @param groups likewise
     */
    public static OwnerMap of(List<String> users, List<String> groups) {
        return new OwnerMap(false, parse(users), parse(groups));
    }

    private static Map<String, Integer> parse(List<String> lines) {
        Map<String, Integer> map = new TreeMap<>();
        for (String line : lines) {
            int equals = line.lastIndexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'%s' is not NAME=NUMBER".formatted(line));
            }
            try {
                map.put(line.substring(0, equals), Integer.parseUnsignedInt(line.substring(equals + 1)));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "'%s' is not NAME=NUMBER, as id prints the number of an account".formatted(line), e);
            }
        }
        return map;
    }

    /** Returns options of a JVM from which {@link #ofProperties} reads this map. */
    public List<String> jvmOptions() {
        return numbers
                ? List.of("-D" + NUMBERS + "=true")
                : List.of("-D" + USERS + "=" + text(users), "-D" + GROUPS + "=" + text(groups));
    }

    private static String text(Map<String, Integer> map) {
        return new TreeMap<>(map)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + Integer.toUnsignedString(each.getValue()))
                        .collect(Collectors.joining(","));
    }

    /** Reads the properties of this JVM. */
    public static OwnerMap ofProperties() {
        return new OwnerMap(
                Boolean.getBoolean(NUMBERS),
                parse(split(System.getProperty(USERS, ""))),
                parse(split(System.getProperty(GROUPS, ""))));
    }

    private static List<String> split(String text) {
        return text.isEmpty() ? List.of() : new ArrayList<>(Arrays.asList(text.split(",", -1)));
    }
}
