// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import com.google.common.net.HostAndPort;
import io.packing.bdt.master.tokens.KeyIds;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The groups of masters over which mounts are spread, and which of them this master is one of.
 *
 * @param own the name of this master's group; empty: mounts are not spread
 * @param groups the addresses of each, {@code host:port} with commas between them, by name; the first one has the table
 */
public record Federation(String own, Map<String, String> groups) {
    /** The map of a master that serves every mount. */
    public static final Federation NONE = new Federation("", Map.of());

    public static final Option<Map<String, String>> GROUPS = new Option<>(
            "bdt.mounts.groups",
            "",
            "The groups of masters over which mounts are spread, the same list for each master: name=host:port, with"
                    + " commas between groups and a vertical bar between the masters of one. The first group has the table of mounts."
                    + " Empty: this master, or its group, has all mounts.",
            Federation::groups);
    public static final Option<String> OWN =
            new Option<>("bdt.mounts.group", "", "Which of bdt.mounts.groups this master is one of.", Parsers::text);

    public static final List<Option<?>> OPTIONS = List.of(GROUPS, OWN);

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");

    public Federation {
        if (own.isEmpty() != groups.isEmpty() || (!own.isEmpty() && !groups.containsKey(own))) {
            throw new IllegalArgumentException(
                    "%s is '%s', and %s names %s: set both, and name in the first one of the second's groups"
                            .formatted(OWN.key(), own, GROUPS.key(), groups.keySet()));
        }
        Map<KeyIds, String> tags = new HashMap<>();
        groups.keySet().forEach(name -> {
            String other = tags.put(KeyIds.of(name), name);
            if (other != null) {
                throw new IllegalArgumentException(
                        "groups '%s' and '%s' of %s would number the keys of their tokens alike: give one of them another name"
                                .formatted(other, name, GROUPS.key()));
            }
        });
    }

    static Federation from(Options options) {
        return new Federation(options.get(OWN), options.get(GROUPS));
    }

    /** Returns whether mounts are spread over groups. */
    boolean isSpread() {
        return !own.isEmpty();
    }

    /** The group that has the table. */
    String first() {
        return groups.keySet().iterator().next();
    }

    boolean hasTable() {
        return own.equals(first());
    }

    /**
     * Returns the addresses of a group's masters.
     *
     * @throws IllegalArgumentException when there is no such group
     */
    String addresses(String group) {
        String addresses = groups.get(group);
        if (addresses == null) {
            throw new IllegalArgumentException("there is no group '%s'; %s of this master names %s"
                    .formatted(group, GROUPS.key(), String.join(", ", groups.keySet())));
        }
        return addresses;
    }

    private static Map<String, String> groups(String text) {
        Map<String, String> groups = new LinkedHashMap<>();
        if (text.isBlank()) {
            return groups;
        }
        for (String each : text.split(",", -1)) {
            int equals = each.indexOf('=');
            String name = each.substring(0, Math.max(0, equals)).strip();
            if (!NAME.matcher(name).matches() || groups.put(name, masters(each.substring(equals + 1))) != null) {
                throw new IllegalArgumentException(
                        "expected name=host:port with commas between groups, each name once, of a-z, 0-9 and '-'");
            }
        }
        return groups;
    }

    private static String masters(String text) {
        List<String> addresses = new ArrayList<>();
        for (String each : text.strip().split("\\|", -1)) {
            HostAndPort address = HostAndPort.fromString(each.strip());
            if (!address.hasPort() || address.getHost().isEmpty()) {
                throw new IllegalArgumentException("expected host:port with | between the masters of a group");
            }
            addresses.add(address.toString());
        }
        return String.join(",", addresses);
    }
}
