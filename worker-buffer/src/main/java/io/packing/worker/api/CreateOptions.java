package io.packing.worker.api;

import io.packing.bdt.BdtUser;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a file is created.
 *
 * @param mtimeMillis milliseconds since the epoch; empty: the time of its close
 * @param user for whom, whose rights count; empty: for this process itself
 */
public record CreateOptions(
        String owner,
        String group,
        int mode,
        boolean createParents,
        boolean overwrite,
        OptionalLong mtimeMillis,
        Optional<BdtUser> user) {
    private static final int SET_GROUP = 02000;

    /** A file of this process itself whose mtime is the time of its close. */
    public CreateOptions(String owner, String group, int mode, boolean createParents, boolean overwrite) {
        this(owner, group, mode, createParents, overwrite, OptionalLong.empty());
    }

    /** A file of this process itself. */
    public CreateOptions(
            String owner, String group, int mode, boolean createParents, boolean overwrite, OptionalLong mtimeMillis) {
        this(owner, group, mode, createParents, overwrite, mtimeMillis, Optional.empty());
    }

    /**
     * Returns the same for a user, to whom the file belongs; superusers make files of whomever they like. In which groups the user is the
     * master knows, and footers have what is asked for here: so a set-group-ID bit comes by a change of the mode, which the master checks.
     */
    public CreateOptions by(BdtUser who) {
        return new CreateOptions(
                who.superuser() ? owner : who.name(),
                group,
                who.superuser() ? mode : mode & ~SET_GROUP,
                createParents,
                overwrite,
                mtimeMillis,
                Optional.of(who));
    }
}
