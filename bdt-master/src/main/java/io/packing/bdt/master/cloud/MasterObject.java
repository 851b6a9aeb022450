// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An object that the master keeps in the backing store beside the blobs, by its key.
 *
 * <pre>
 * bdt/epoch-E                 master number E took the mount over, and renews its lease here
 * bdt/backup-P                the table at position P
 * bdt/journal-F-L             journal entries from position F to L
 * </pre>
 */
public record MasterObject(Kind kind, long first, long last) {
    static final String FOLDER = "bdt/";
    private static final Pattern KEY = Pattern.compile("bdt/(epoch|backup|journal)-([0-9]{19})(?:-([0-9]{19}))?");

    /** The kind of an object. */
    enum Kind {
        LEASE_EPOCH,
        BACKUP,
        JOURNAL
    }

    public static MasterObject epoch(long number) {
        return new MasterObject(Kind.LEASE_EPOCH, number, number);
    }

    static MasterObject backup(long position) {
        return new MasterObject(Kind.BACKUP, position, position);
    }

    static MasterObject journal(long first, long last) {
        return new MasterObject(Kind.JOURNAL, first, last);
    }

    /** Empty for a key that is not one of ours. */
    static Optional<MasterObject> parse(String key) {
        Matcher m = KEY.matcher(key);
        if (!m.matches()) {
            return Optional.empty();
        }
        try {
            long first = Long.parseLong(m.group(2));
            return Optional.of(
                    switch (m.group(1)) {
                        case "epoch" -> epoch(first);
                        case "backup" -> backup(first);
                        default -> journal(first, m.group(3) == null ? first : Long.parseLong(m.group(3)));
                    });
        } catch (NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    /** Returns whether a key is that of an epoch. */
    public static boolean isEpoch(String key) {
        return parse(key).filter(object -> object.kind() == Kind.LEASE_EPOCH).isPresent();
    }

    public String key() {
        return switch (kind) {
            case LEASE_EPOCH -> "%sepoch-%019d".formatted(FOLDER, first);
            case BACKUP -> "%sbackup-%019d".formatted(FOLDER, first);
            case JOURNAL -> "%sjournal-%019d-%019d".formatted(FOLDER, first, last);
        };
    }
}
