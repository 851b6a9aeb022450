package io.packing.bdt.master;

import io.packing.blob.FilePath;
import java.util.Collection;

/** The names under which a recovery keeps what met something else at its path. */
final class Aside {
    private static final String MARK = ".recovered-";

    private Aside() {}

    /** The name of an entry that makes way. */
    static String name(String name, long id) {
        return name + MARK + id;
    }

    /** The path of a file that meets something at its own. */
    static FilePath file(FilePath path, long id) {
        return orShort(path.value() + MARK + id, id);
    }

    /**
     * The path of a file that meets a file in the place of a directory above it.
     *
     * @param inTheWay a path above
     * @param at of the recovery: what is below one directory stays together
     */
    static FilePath below(FilePath path, FilePath inTheWay, long at, long id) {
        String rest = path.value().substring(inTheWay.value().length());
        return orShort(inTheWay.value() + MARK + at + rest, id);
    }

    /** The path of these names, as long as one may be. */
    static FilePath whole(Collection<String> names, long id) {
        return orShort("/" + String.join("/", names), id);
    }

    private static FilePath orShort(String path, long id) {
        // UTF-8 takes at most three bytes for a char.
        boolean surelyFits = path.length() <= FilePath.MAX_BYTES / 3;
        if (surelyFits || path.getBytes(java.nio.charset.StandardCharsets.UTF_8).length <= FilePath.MAX_BYTES) {
            return new FilePath(path);
        }
        return new FilePath("/recovered-" + id);
    }
}
