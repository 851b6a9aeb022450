// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.AppendTarget;
import io.packing.bdt.BdtUser;
import io.packing.bdt.RareAttributeChange;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a new file.
 *
 * @param mtimeMillis milliseconds since the epoch; empty: the time of its close
 * @param user whose rights count; empty: this process itself
 * @param uploaded true if the close waits until the store has the bytes, whatever the mount asks of its files
 * @param extra attributes that the file has from its first moment on, with the nanoseconds of its mtime; a file whose close waits until the
 *     store has the bytes takes none
 * @param append the file that gets the bytes with the close, if this one does not wait for the store; the created file is gone then
 */
public record CreateOptions(
        String owner,
        String group,
        int mode,
        boolean createParents,
        boolean overwrite,
        OptionalLong mtimeMillis,
        Optional<BdtUser> user,
        boolean uploaded,
        RareAttributeChange extra,
        Optional<AppendTarget> append) {
    private static final int SET_GROUP = 02000;

    /** Makes options of a file of this process itself, with the time of its close as mtime. */
    public CreateOptions(String owner, String group, int mode, boolean createParents, boolean overwrite) {
        this(owner, group, mode, createParents, overwrite, OptionalLong.empty());
    }

    /** Makes options of a file of this process itself. */
    public CreateOptions(
            String owner, String group, int mode, boolean createParents, boolean overwrite, OptionalLong mtimeMillis) {
        this(
                owner,
                group,
                mode,
                createParents,
                overwrite,
                mtimeMillis,
                Optional.empty(),
                false,
                RareAttributeChange.NONE,
                Optional.empty());
    }

    /** Returns these options for a file whose close waits until the store has its bytes. */
    public CreateOptions asUploaded() {
        return new CreateOptions(owner, group, mode, createParents, overwrite, mtimeMillis, user, true, extra, append);
    }

    /**
     * Returns these options for a file whose bytes another one gets. Its close returns a version of that file then. A version of the created
     * file says that nothing was appended, and that it stays: its worker or master is of an older version, or the close waits for the store.
     */
    public CreateOptions appending(AppendTarget to) {
        return new CreateOptions(
                owner, group, mode, createParents, overwrite, mtimeMillis, user, uploaded, extra, Optional.of(to));
    }

    /** Returns these options for a file with attributes and a time. */
    public CreateOptions with(long millis, RareAttributeChange attributes) {
        return new CreateOptions(
                owner,
                group,
                mode,
                createParents,
                overwrite,
                OptionalLong.of(millis),
                user,
                uploaded,
                attributes,
                append);
    }

    /**
     * Returns these options for a user, who becomes the file's owner; a superuser may name any owner. The mode loses
     * its set-group-ID bit: only the master knows the user's groups, and footers record the mode asked for here. A
     * client sets the bit by a change of the mode, which the master checks.
     */
    public CreateOptions by(BdtUser who) {
        return new CreateOptions(
                who.superuser() ? owner : who.name(),
                group,
                who.superuser() ? mode : mode & ~SET_GROUP,
                createParents,
                overwrite,
                mtimeMillis,
                Optional.of(who),
                uploaded,
                extra,
                append);
    }
}
