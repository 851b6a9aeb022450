// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.spread;

import io.packing.bdt.MountEntry;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.texts.MasterTexts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The table of mounts at the first group: a text that its masters keep as they keep the keys of tokens, written whole. Thread-safe.
 *
 * <pre>
 * packing mounts 1
 * MOUNT TAB STORE TAB GROUP TAB TARGET TAB HOLDER TAB TOKEN      for each mount; the last three empty, empty and 0 when it is not moved
 * </pre>
 */
public final class MountTable implements TableOfMounts {
    /** The name of the text. */
    public static final String NAME = "mounts";

    /** Entries; a group of masters keeps a text of at most 2 MB. */
    private static final int MOST = 5_000;

    private static final int MOST_CHARACTERS = 300;
    private static final String FIRST_LINE = "packing mounts 1";
    /** The most tries of a change: a concurrent change of another text of the group makes a try fail. */
    private static final int TRIES = 5;

    private final MasterTexts texts;

    public MountTable(MasterTexts texts) {
        this.texts = texts;
    }

    /** In the order of the mounts' names. */
    public synchronized List<MountEntry> all() throws IOException {
        return List.copyOf(read().values());
    }

    @Override
    public synchronized Optional<MountEntry> find(String mount) throws IOException {
        return Optional.ofNullable(read().get(mount));
    }

    @Override
    public synchronized Optional<MountEntry> change(String mount, Optional<MountEntry> expected, MountEntry next)
            throws IOException {
        if (!next.mount().equals(mount) || !isText(next.store()) || !isText(mount)) {
            throw new IllegalArgumentException(
                    "an entry of mount '%s' at '%s' for mount '%s'".formatted(next.mount(), next.store(), mount));
        }
        for (int tries = 1; ; tries++) {
            long version = texts.version();
            Map<String, MountEntry> entries = read();
            Optional<MountEntry> now = Optional.ofNullable(entries.get(mount));
            if (now.equals(Optional.of(next)) || !now.equals(expected)) {
                return now;
            }
            if (now.isEmpty() && entries.size() >= MOST) {
                throw new IllegalArgumentException("the table of mounts is full: it has %d".formatted(MOST));
            }
            entries.put(mount, next);
            try {
                texts.write(NAME, text(entries), version);
                return Optional.of(next);
            } catch (UnavailableException e) {
                if (tries == TRIES || !texts.mayChange() || texts.version() == version) {
                    throw e;
                }
            }
        }
    }

    private static boolean isText(String text) {
        return text.length() <= MOST_CHARACTERS && text.chars().allMatch(c -> c >= ' ');
    }

    private Map<String, MountEntry> read() throws IOException {
        Map<String, MountEntry> entries = new TreeMap<>();
        Optional<String> text = texts.read(NAME);
        if (text.isEmpty()) {
            return entries;
        }
        List<String> lines = text.get().lines().toList();
        try {
            if (lines.isEmpty() || !lines.get(0).equals(FIRST_LINE)) {
                throw new IllegalArgumentException("its first line is not '%s'".formatted(FIRST_LINE));
            }
            for (String line : lines.subList(1, lines.size())) {
                MountEntry entry = entry(line);
                entries.put(entry.mount(), entry);
            }
            return entries;
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "%s is damaged (%s); remove it: groups enter the mounts that they have again"
                            .formatted(texts.where(NAME), e.getMessage()),
                    e);
        }
    }

    private static MountEntry entry(String line) {
        String[] parts = line.split("\t", -1);
        if (parts.length != 6) {
            throw new IllegalArgumentException("a line of %d parts".formatted(parts.length));
        }
        return new MountEntry(parts[0], parts[1], parts[2], parts[3], parts[4], Long.parseLong(parts[5]));
    }

    private static String text(Map<String, MountEntry> entries) {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        entries.values()
                .forEach(entry -> text.append(String.join(
                                "\t",
                                entry.mount(),
                                entry.store(),
                                entry.group(),
                                entry.target(),
                                entry.holder(),
                                Long.toString(entry.token())))
                        .append('\n'));
        return text.toString();
    }
}
