// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.blob.BlobName;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A change of the namespace that is in no footer, so that a recovery must know it. */
public sealed interface JournalEntry {
    /**
     * A directory was made.
     *
     * @param id of the lowest
     * @param implied by a claim below it: then no upload is made for it alone, since footers imply it as well
     * @param levels how many were made, one in the other, of which the path is the lowest; their ids follow each other
     */
    record Made(FilePath path, long id, DirectoryAttributes attributes, long mtimeMillis, boolean implied, int levels)
            implements JournalEntry {
        public Made {
            if (levels < 1 || levels >= id) {
                throw new Bytes.MalformedException("%d directories down to id %d".formatted(levels, id));
            }
        }
    }

    /** A file or directory was removed, with all below it. */
    record Deleted(FilePath path, long id) implements JournalEntry {}

    /**
     * A file or directory was moved.
     *
     * @param generation of the file; 0: it is a directory or one of several names, or an older master moved it
     */
    record Renamed(FilePath from, FilePath to, long id, long generation) implements JournalEntry {
        /** Returns the entry for an inode that was moved. */
        public static Renamed of(FilePath from, FilePath to, Inode moved) {
            boolean isNamedOnce = !moved.isDirectory() && !(moved.place() instanceof Inode.Linked);
            return new Renamed(from, to, moved.id(), isNamedOnce ? moved.generation() : 0);
        }
    }

    /**
     * A file got another name.
     *
     * @param path a name that it had
     * @param firstName id of the entry that this one became when the file got its second name; 0: it was one already
     * @param newName id of the entry of the new name
     * @param file its id
     * @param generation its generation, as what follows: to show it before anybody knows where its bytes are
     */
    record Linked(
            FilePath path,
            FilePath name,
            long firstName,
            long newName,
            long file,
            long generation,
            FileAttributes attributes,
            ExtraAttributes extras)
            implements JournalEntry {}

    /**
     * A name that a clone had from its origin is an entry of its own from now on, of the file that the clone has in the place of the
     * origin's.
     *
     * @param path of the name
     * @param name id of the entry
     * @param file the clone's file, by its id
     * @param row what the row is called that leads from the file in whose place it is
     * @param twin id of the row that leads from the one to the other; 0: it was there already
     * @param others how many names that row counts when it is new
     */
    record NameOwned(FilePath path, long name, long file, String row, long twin, int others) implements JournalEntry {}

    /**
     * Attributes were changed.
     *
     * @param file its id; 0: a directory, or a version before ids were noted wrote this
     */
    record Changed(FilePath path, long file, AttributeChange change) implements JournalEntry {}

    /**
     * Files in buffers are over that no other entry names: they were overwritten, were below a directory that was
     * deleted, or were refused when their worker named them. A worker that comes back with one of them after a recovery is
     * refused by its id.
     *
     * @param urgent whether they were deleted or refused; an overwrite alone makes no upload
     */
    record Ended(List<Long> ids, boolean urgent) implements JournalEntry {
        public Ended {
            ids = List.copyOf(ids);
        }
    }

    /** A file that came back after a recovery met something else at its path, and is kept at this one. */
    record Kept(FilePath path, long id) implements JournalEntry {}

    /**
     * A file has these bytes from now on: it is new, or its bytes were changed.
     *
     * @param path of the file
     * @param contents what the map names
     */
    record Mapped(
            FilePath path,
            long id,
            FileAttributes attributes,
            ExtraAttributes extras,
            ReferenceMap map,
            List<Source> contents)
            implements JournalEntry {
        public Mapped {
            contents = List.copyOf(contents);
        }

        /** The file as of a position. */
        public Inode inode(long position) {
            return new Inode(id, position, attributes, new Inode.Mapped(map), extras);
        }
    }

    /**
     * Ranges of a fragmented file have other bytes from now on. The rest of its map stays.
     *
     * @param path of the file
     * @param before generation of the file that was changed
     * @param splices in their order
     * @param contents what the splices name
     */
    record Spliced(
            FilePath path,
            long id,
            long before,
            FileAttributes attributes,
            ExtraAttributes extras,
            List<Splice> splices,
            List<Source> contents)
            implements JournalEntry {
        public Spliced {
            splices = List.copyOf(splices);
            contents = List.copyOf(contents);
        }
    }

    /**
     * Ranges of a fragmented file have the same bytes in one new content from now on. Nothing else of the file changes.
     *
     * @param path of the file
     * @param content that has the bytes
     * @param blob that has the content
     * @param extents of the content in the blob
     */
    record Repacked(FilePath path, long id, Source content, BlobName blob, List<Extent> extents, List<Splice> splices)
            implements JournalEntry {
        public Repacked {
            extents = List.copyOf(extents);
            splices = List.copyOf(splices);
        }

        /** Returns the place of the content, given the number of the blob in the table. */
        public Inode.Packed place(long number) {
            return Inode.Packed.of(extents.stream()
                    .map(each -> new Inode.StoredExtent(number, each))
                    .toList());
        }
    }

    /**
     * A file is a clone of a fragmented one, and shares its map. No entry has the map: the table knows the source.
     *
     * @param path of the clone
     * @param source its path then, which may be in a snapshot
     * @param of id of the source
     * @param before generation of the source
     */
    record LayeredClone(
            FilePath path,
            long id,
            FileAttributes attributes,
            ExtraAttributes extras,
            FilePath source,
            long of,
            long before)
            implements JournalEntry {}

    /**
     * A range of a file and its new bytes.
     *
     * @param map of the range, which begins at 0
     */
    record Splice(long offset, long length, ReferenceMap map) {
        public Splice {
            if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
                throw new Bytes.MalformedException("a splice of %d bytes at %d".formatted(length, offset));
            }
        }
    }

    /** A directory has these limits from now on, or none. */
    record QuotaSet(FilePath path, OptionalLong mostNames, OptionalLong mostBytes) implements JournalEntry {}

    /** A snapshot was taken of a directory. */
    record Snapshotted(FilePath path, String name, long nextId, long takenMillis) implements JournalEntry {}

    /**
     * A directory is a clone of another one as it was at the position of this entry, or at that of the snapshot that the source is in.
     *
     * @param id of the clone
     * @param nextId the first id that was not given out yet
     */
    record Cloned(FilePath source, FilePath destination, long id, long nextId, long takenMillis)
            implements JournalEntry {}

    /** A directory that a clone had from its origin is its own from now on, since something in it changes. */
    record Owned(FilePath path, long id) implements JournalEntry {}

    /** A snapshot of a directory has another name. */
    record SnapshotRenamed(FilePath path, String from, String to) implements JournalEntry {}

    /** A snapshot of a directory was given up. */
    record SnapshotDropped(FilePath path, String name) implements JournalEntry {}

    /**
     * A snapshot sees a changed or deleted file. Some of its bytes were only in a buffer, so no footer lists them yet.
     *
     * @param parent id of the directory
     * @param until position of the snapshot
     * @param contents what the map names
     */
    record Held(
            long parent,
            String name,
            long until,
            long id,
            long generation,
            FileAttributes attributes,
            ExtraAttributes extras,
            ReferenceMap map,
            List<Source> contents)
            implements JournalEntry {
        public Held {
            contents = List.copyOf(contents);
        }
    }

    /**
     * The table was made from the backing store. A later recovery that begins with an older backup learns of this one from
     * the journal.
     */
    record Rebuilt(Recovered recovered) implements JournalEntry {}

    /**
     * Directories were made again that a recovery did not know, or knew only by their content. A later recovery makes them with
     * the same ids, as of the same position.
     *
     * @param since position from which on they have been there
     */
    record Remade(Made made, long since) implements JournalEntry {}

    /**
     * A mount's shared options were set.
     *
     * @param set all that were set until then, by key
     * @param urgent whether it was a change of a mount that was there
     */
    record SharedOptionsSet(SortedMap<String, String> set, boolean urgent) implements JournalEntry {
        public SharedOptionsSet {
            set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        }
    }

    /** A content that a map names. It is known before the place of its bytes is. */
    record Source(long id, long generation, long length) {}

    /** Returns whether this entry is worth an upload of its own. */
    default boolean urgent() {
        return !(this instanceof Rebuilt)
                && !(this instanceof Remade)
                && !(this instanceof Owned)
                && !(this instanceof Repacked)
                && !(this instanceof SharedOptionsSet set && !set.urgent())
                && !(this instanceof Made made && made.implied());
    }

    /** Returns whether it says what became of files: files that a recovery lost must be led through it. */
    default boolean isHistory() {
        return this instanceof Deleted
                || this instanceof Renamed
                || this instanceof Ended
                || this instanceof Kept
                || this instanceof Cloned
                || this instanceof Snapshotted;
    }
}
