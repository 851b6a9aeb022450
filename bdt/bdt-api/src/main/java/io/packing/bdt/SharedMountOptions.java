// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.options.Nearest;
import io.packing.options.Option;
import io.packing.options.Options;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The options that hold for all clients of a mount (RFC 0016). An operator sets them; the master keeps them in the
 * mount's table and sends them to each client.
 *
 * @param set options with their values as written, by key; all others have their defaults
 */
public record SharedMountOptions(SortedMap<String, String> set) {
    /** All these options, in the order of the reference table. */
    public static final List<Option<?>> OPTIONS = List.of(
            BdtOptions.DURABILITY,
            BdtOptions.UPLOADED_PATHS,
            BdtOptions.HISTORY,
            BdtOptions.HISTORY_EVERY,
            BdtOptions.BACKUP_INTERVAL,
            BdtOptions.BACKUP_MIN_CHANGES,
            BdtOptions.JOURNAL_INTERVAL,
            BdtOptions.GC_INTERVAL,
            BdtOptions.GC_GRACE,
            BdtOptions.GC_COMPACT_BELOW,
            BdtOptions.GC_COMPACT_ORDER,
            BdtOptions.ENCRYPTION_KEY,
            BdtOptions.DEDUP);

    /** The terms of a mount with default values only. */
    public static final SharedMountOptions NONE = new SharedMountOptions(new TreeMap<>());

    public SharedMountOptions {
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        Options checked = Options.check(set, "packing.", OPTIONS);
        checked.get(BdtOptions.HISTORY).check(checked.get(BdtOptions.HISTORY_EVERY));
        if (checked.get(BdtOptions.DEDUP) != DedupMode.NONE
                && checked.get(BdtOptions.DURABILITY) == Durability.UPLOADED) {
            throw new IllegalArgumentException("option %s: file cannot be had with %s=uploaded; use synced"
                    .formatted(BdtOptions.DEDUP.key(), BdtOptions.DURABILITY.key()));
        }
    }

    /**
     * Takes these options from a client's, and ignores all others.
     *
     * @throws IllegalArgumentException naming each malformed value
     */
    public static SharedMountOptions of(Map<String, String> raw) {
        SortedMap<String, String> named = new TreeMap<>();
        for (Option<?> option : OPTIONS) {
            String value = raw.getOrDefault(option.key(), "").strip();
            // An empty value leaves out an option without a default.
            if (!value.isEmpty()
                    || (raw.containsKey(option.key()) && !option.defaultText().isEmpty())) {
                named.put(option.key(), value);
            }
        }
        return new SharedMountOptions(named);
    }

    /** Returns a value, or the default. */
    public <T> T get(Option<T> option) {
        return Options.check(set, "packing.", OPTIONS).get(option);
    }

    /** Returns the least durability of a closed file. */
    public Durability durability() {
        return get(BdtOptions.DURABILITY);
    }

    /** Returns the paths of closed files that the store has, whatever the least durability is. */
    public PathPatterns uploadedPaths() {
        return get(BdtOptions.UPLOADED_PATHS);
    }

    /** Returns the directories that have a history. */
    public HistoryWindows history() {
        return get(BdtOptions.HISTORY);
    }

    /** Returns the way in which files share bytes that the mount has already. */
    public DedupMode dedup() {
        return get(BdtOptions.DEDUP);
    }

    /** Returns all options with their values, as they were written. */
    public Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        OPTIONS.forEach(option -> all.put(option.key(), text(option)));
        return all;
    }

    private String text(Option<?> option) {
        return set.getOrDefault(option.key(), option.defaultText());
    }

    /**
     * Returns the terms after a change.
     *
     * @throws IllegalArgumentException naming each key that is no such option, each malformed value and each forbidden
     *     change
     */
    public SharedMountOptions with(Map<String, String> changes) {
        List<String> keys = OPTIONS.stream().<String>map(Option::key).toList();
        for (String key : changes.keySet()) {
            if (!keys.contains(key)) {
                throw new IllegalArgumentException(
                        "'%s' is no option that all users of a mount share; did you mean '%s'? Valid are: %s"
                                .formatted(key, Nearest.to(key, keys), String.join(", ", keys)));
            }
        }
        SortedMap<String, String> next = new TreeMap<>(set);
        changes.forEach((key, value) -> next.put(key, value.strip()));
        if (next.getOrDefault(BdtOptions.ENCRYPTION_KEY.key(), "").isEmpty()) {
            if (!get(BdtOptions.ENCRYPTION_KEY).isEmpty()) {
                throw new IllegalArgumentException(
                        "option %s: a mount that is encrypted stays so; name another key, or load its files into a new mount"
                                .formatted(BdtOptions.ENCRYPTION_KEY.key()));
            }
            next.remove(BdtOptions.ENCRYPTION_KEY.key());
        }
        return new SharedMountOptions(next);
    }

    /**
     * Returns each option in which a client wants another value than the mount's, with both values and the next step;
     * empty without one. A client may ask for {@link Durability#UPLOADED} in any mount, since its worker can keep that alone, and need not share
     * bytes. A mount that syncs nothing cannot sync one client's files, since its master does not.
     *
     * @param mount name of the mount
     */
    public Optional<String> contradiction(SharedMountOptions asked, String mount) {
        List<String> lines = new ArrayList<>();
        for (Option<?> option : OPTIONS) {
            if (asked.set.containsKey(option.key()) && !admits(asked, option)) {
                String wanted = asked.text(option);
                lines.add(
                        ("it has %s=%s, and %s is asked for: leave the option out, or let an operator change it for all with"
                                        + " `packing mounts set --option %s=%s`")
                                .formatted(option.key(), shown(text(option)), wanted, option.key(), wanted));
            }
        }
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of("mount %s: %s".formatted(mount, String.join("; ", lines)));
    }

    private static String shown(String value) {
        return value.isEmpty() ? "(none)" : value;
    }

    private boolean admits(SharedMountOptions asked, Option<?> option) {
        if (option.equals(BdtOptions.DURABILITY)) {
            return asked.durability() == durability() || asked.durability() == Durability.UPLOADED;
        }
        if (option.equals(BdtOptions.DEDUP) && asked.dedup() == DedupMode.NONE) {
            return true;
        }
        return asked.get(option).equals(get(option));
    }
}
