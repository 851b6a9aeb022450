// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Attributes by which a kernel gives more than rights on one file: capabilities, devices, set-user-ID and set-group-ID bits. Linux takes
 * them from unprivileged users; so does a master that knows its callers (RFC 0007), since hosts believe what a mount shows. Immutable.
 *
 * @param who the caller; empty: one who passes all checks
 */
public record Privileges(Optional<Principal> who) {
    private static final String USER = "user.";
    private static final String TRUSTED = "trusted.";
    private static final String SECURITY = "security.";
    private static final String CAPABILITY = "security.capability";
    /** Access control lists, which give no more than the owner may give by a mode. */
    private static final String ACCESS_LIST = "system.posix_acl_";

    private static final int SET_USER = 04000;
    private static final int SET_GROUP = 02000;
    private static final int STICKY = 01000;
    private static final int CHARACTER_DEVICE = 0020000;
    private static final int BLOCK_DEVICE = 0060000;

    /** Returns the mode that something new of the caller's gets when this one is asked for. */
    int ofNew(FilePath path, FileAttributes asked, String group) throws DeniedException {
        if (who.isEmpty()) {
            return asked.mode();
        }
        if (isDevice(asked)) {
            throw who.get().denied("access=MKNOD, which only superusers have", path.value(), asked, false);
        }
        return withoutForeignGroup(asked.mode(), group);
    }

    /** Refuses the parts of a change of attributes that only superusers make. */
    void check(FilePath path, Inode there, AttributeChange change) throws DeniedException {
        if (who.isEmpty()) {
            return;
        }
        FileAttributes now = there.attributes();
        int type = change.mode().orElse(0) & FileAttributes.TYPE;
        if (type != 0 && type != (now.mode() & FileAttributes.TYPE) && !there.isDirectory()) {
            throw who.get().denied("access=MKNOD, which only superusers have", path.value(), now, false);
        }
        checkExtended(path, now, there.isDirectory(), change.extra());
    }

    /** Refuses unless extended attributes of something with these attributes may be changed so. */
    public void checkExtended(FilePath path, FileAttributes there, boolean directory, RareAttributeChange change)
            throws DeniedException {
        if (who.isEmpty()) {
            return;
        }
        for (ExtendedChange step : change.extended()) {
            if (step.name().startsWith(USER)) {
                checkUsers(path, there, directory);
            } else if (!step.name().startsWith(ACCESS_LIST)) {
                throw who.get()
                        .denied(
                                "access=%s %s, which only superusers have".formatted(step.kind(), step.name()),
                                path.value(),
                                there,
                                directory);
            } else if (!who.get().owns(there.owner())) {
                throw who.get().denied("not the owner", path.value(), there, directory);
            }
        }
    }

    /** As Linux has it: links and devices, whose modes say nothing of their attributes, have none; in sticky directories the owner changes them. */
    private void checkUsers(FilePath path, FileAttributes there, boolean directory) throws DeniedException {
        Principal caller = who.orElseThrow();
        boolean ownersOnly = (there.mode() & FileAttributes.TYPE) != 0 || (directory && (there.mode() & STICKY) != 0);
        if (ownersOnly && !caller.owns(there.owner())) {
            throw caller.denied("not the owner", path.value(), there, directory);
        }
        caller.need(path.value(), there, AccessMode.WRITE, directory);
    }

    /** Returns a change that was allowed, without the bits that the caller may not give: the group of the file decides as it is after the change. */
    public AttributeChange kept(Inode there, AttributeChange change) {
        if (who.isEmpty()) {
            return change;
        }
        FileAttributes now = there.attributes();
        Optional<String> other = change.group().filter(group -> !group.equals(now.group()));
        boolean givesFile = other.isPresent() && !there.isDirectory();
        OptionalInt mode = change.mode();
        if (mode.isPresent()) {
            mode = OptionalInt.of(withoutForeignGroup(mode.getAsInt(), other.orElse(now.group())));
        } else if (givesFile && (now.mode() & (SET_USER | SET_GROUP)) != 0) {
            mode = OptionalInt.of(withoutSetIds(now.mode()));
        }
        RareAttributeChange extra = change.extra();
        if (givesFile && there.extras().extended().containsKey(CAPABILITY)) {
            List<ExtendedChange> steps = new ArrayList<>(extra.extended());
            steps.add(ExtendedChange.of(ExtendedChange.Kind.DROP, CAPABILITY));
            extra = new RareAttributeChange(steps, extra.nanos(), extra.changed());
        }
        return new AttributeChange(change.owner(), change.group(), mode, change.mtimeMillis(), extra);
    }

    /** Refuses unless the bytes of something may be written: those of a device are its number, those of a link its target. */
    public void write(FilePath path, Inode there) throws DeniedException {
        int type = there.attributes().mode() & FileAttributes.TYPE;
        if (who.isPresent()
                && type != 0
                && (isDevice(there.attributes())
                        || !who.get().owns(there.attributes().owner()))) {
            throw who.get().denied("access=WRITE to what is no ordinary file", path.value(), there.attributes(), false);
        }
    }

    /** Refuses another name of a file that a kernel gives privileges by: with it an old version of a program would stay. */
    public void link(FilePath path, Inode file) throws DeniedException {
        FileAttributes there = file.attributes();
        boolean isPrivileged = (there.mode() & (FileAttributes.TYPE | SET_USER | SET_GROUP)) != 0;
        if (who.isPresent() && isPrivileged && !who.get().owns(there.owner())) {
            throw who.get().denied("access=LINK, not the owner", path.value(), there, false);
        }
    }

    /** Returns those of the extended attributes of what is at a path that the caller may know; refuses where reading is needed. */
    SortedMap<String, ExtendedValue> readable(FilePath path, Inode there) throws DeniedException {
        SortedMap<String, ExtendedValue> all = there.extras().extended();
        if (who.isEmpty()) {
            return all;
        }
        SortedMap<String, ExtendedValue> known = new TreeMap<>(all);
        known.keySet().removeIf(name -> name.startsWith(TRUSTED));
        if (known.keySet().stream().anyMatch(name -> name.startsWith(USER))) {
            who.get().need(path.value(), there.attributes(), AccessMode.READ, there.isDirectory());
        }
        return known;
    }

    /** Returns the extras of a clone that the caller makes: programs' privileges are not the caller's to give. */
    public ExtraAttributes cloned(ExtraAttributes source) {
        return who.isEmpty() ? source : source.without(Privileges::isSuperusers);
    }

    private static boolean isSuperusers(String name) {
        return name.startsWith(TRUSTED) || name.startsWith(SECURITY);
    }

    /** Returns the attributes of a clone that names no mode: bits that another user gave a program do not become the caller's. */
    public FileAttributes cloned(FileAttributes source) {
        return who.isEmpty() || who.get().owns(source.owner()) ? source : with(source, withoutSetIds(source.mode()));
    }

    /** Returns the extras of a file after the caller wrote to it. */
    public ExtraAttributes written(ExtraAttributes before) {
        return who.isEmpty() ? before : before.without(CAPABILITY::equals);
    }

    /** Returns the mode of a file after the caller wrote to it. */
    public int written(int mode) {
        return who.isEmpty() ? mode : withoutSetIds(mode);
    }

    private int withoutForeignGroup(int mode, String group) {
        return who.orElseThrow().mayGiveTo(group) ? mode : mode & ~SET_GROUP;
    }

    private static int withoutSetIds(int mode) {
        return mode & ~(SET_USER | SET_GROUP);
    }

    private static boolean isDevice(FileAttributes attributes) {
        int type = attributes.mode() & FileAttributes.TYPE;
        return type == CHARACTER_DEVICE || type == BLOCK_DEVICE;
    }

    private static FileAttributes with(FileAttributes of, int mode) {
        return new FileAttributes(of.length(), of.mtimeMillis(), of.owner(), of.group(), mode);
    }
}
