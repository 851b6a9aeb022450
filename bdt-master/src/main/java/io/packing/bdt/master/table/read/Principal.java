// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.DeniedException;
import io.packing.blob.FileAttributes;
import io.packing.transport.identity.UserNames;
import java.util.Set;

/**
 * A user whose rights to files are checked.
 *
 * @param superuser whether all checks are passed by
 */
public record Principal(String user, Set<String> groups, boolean superuser) {
    private static final int STICKY = 01000;

    public Principal {
        groups = Set.copyOf(groups);
        if (user.isEmpty()) {
            // Files without an owner belong to no user.
            throw new IllegalArgumentException("a principal without a name");
        }
    }

    boolean owns(String owner) {
        return user.equals(owner);
    }

    boolean isIn(String group) {
        return !group.isEmpty() && groups.contains(group);
    }

    /**
     * Returns whether this user may give files to a group, and set-group-ID bits with it. A group without a name, or with one that hosts
     * take for root's, is given by superusers only.
     */
    boolean mayGiveTo(String group) {
        return isIn(group) && UserNames.isUsable(group);
    }

    /** Refuses a user whose name hosts would take for another account; servers refuse such a user before, workers of older versions do not. */
    void checkName() throws DeniedException {
        if (!UserNames.isUsable(user)) {
            throw new DeniedException("Permission denied: user=%s, a name that %s; only superusers are known by it"
                    .formatted(user, UserNames.problem(user).orElse("")));
        }
    }

    /** Refuses unless something with these attributes may be used so. */
    void need(String path, FileAttributes there, int rights, boolean directory) throws DeniedException {
        if ((granted(there) & rights) != rights) {
            throw denied("access=" + AccessMode.name(rights), path, there, directory);
        }
    }

    private int granted(FileAttributes there) {
        if (owns(there.owner())) {
            return there.mode() >>> 6 & 7;
        }
        return (isIn(there.group()) ? there.mode() >>> 3 : there.mode()) & 7;
    }

    /** Makes the refusal of a call that lacks something. */
    DeniedException denied(String lacks, String path, FileAttributes there, boolean directory) {
        return new DeniedException("Permission denied: user=%s, %s, inode=\"%s\":%s:%s:%s"
                .formatted(user, lacks, path, there.owner(), there.group(), shown(there.mode(), directory)));
    }

    /** Shows a mode as {@code ls -l} does. */
    private static String shown(int mode, boolean directory) {
        StringBuilder shown = new StringBuilder(directory ? "d" : "-");
        for (int shift = 6; shift >= 0; shift -= 3) {
            int bits = mode >>> shift & 7;
            shown.append((bits & 4) != 0 ? 'r' : '-')
                    .append((bits & 2) != 0 ? 'w' : '-')
                    .append((bits & 1) != 0 ? 'x' : '-');
        }
        if ((mode & STICKY) != 0) {
            shown.setCharAt(9, (mode & 1) != 0 ? 't' : 'T');
        }
        return shown.toString();
    }
}
