// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.ExtendedValue;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An access control list in the kernel's form, as an extended attribute: a version, then entries of tag, permissions
 * and number ({@code posix_acl_xattr.h}). The kernel enforces it; this class keeps it in agreement with the mode
 * (acl(5), "correspondence").
 */
final class Acl {
    /** The attribute with the list of a file. */
    static final String ACCESS = "system.posix_acl_access";
    /** The attribute with the list for new files of a directory. */
    static final String DEFAULT = "system.posix_acl_default";

    private static final int VERSION = 2;
    private static final int ENTRY = 8;
    private static final int OWNER = 0x01;
    private static final int GROUP = 0x04;
    private static final int MASK = 0x10;
    private static final int OTHERS = 0x20;
    private static final int CLASSES = 0777;

    private record AclEntry(int tag, int permissions, int id) {}

    private final List<AclEntry> entries;

    private Acl(List<AclEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    static Acl decode(ExtendedValue value) throws FuseException {
        ByteBuffer in = ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < 4 || in.getInt() != VERSION || in.remaining() % ENTRY != 0) {
            throw new FuseException(Errno.EINVAL, "not an access control list");
        }
        List<AclEntry> entries = new ArrayList<>();
        while (in.hasRemaining()) {
            entries.add(new AclEntry(in.getShort() & 0xffff, in.getShort() & 7, in.getInt()));
        }
        Acl acl = new Acl(entries);
        if (acl.of(OWNER).isEmpty() || acl.of(GROUP).isEmpty() || acl.of(OTHERS).isEmpty()) {
            throw new FuseException(Errno.EINVAL, "an access control list without owner, group or others");
        }
        return acl;
    }

    ExtendedValue encode() {
        ByteBuffer out = ByteBuffer.allocate(4 + ENTRY * entries.size()).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(VERSION);
        for (AclEntry each : entries) {
            out.putShort((short) each.tag())
                    .putShort((short) each.permissions())
                    .putInt(each.id());
        }
        return new ExtendedValue(out.array());
    }

    private Optional<AclEntry> of(int tag) {
        return entries.stream().filter(each -> each.tag() == tag).findFirst();
    }

    private int permissions(int tag) {
        return of(tag).map(AclEntry::permissions).orElse(0);
    }

    /** Returns whether a mode says as much as the list. */
    boolean isMode() {
        return entries.stream().allMatch(each -> each.tag() == OWNER || each.tag() == GROUP || each.tag() == OTHERS);
    }

    /** Returns the tag of the entry that the group's bits of the mode hold. */
    private int groupClass() {
        return of(MASK).isPresent() ? MASK : GROUP;
    }

    /** Returns a mode with the permissions of this list. */
    int mode(int mode) {
        return (mode & ~CLASSES) | permissions(OWNER) << 6 | permissions(groupClass()) << 3 | permissions(OTHERS);
    }

    /** Returns the list after a change of the mode. */
    Acl withMode(int mode) {
        return map(mode, false);
    }

    /** Returns the list of a new file, for a mode, in a directory with this default list. */
    Acl created(int mode) {
        return map(mode, true);
    }

    private Acl map(int mode, boolean both) {
        List<AclEntry> now = new ArrayList<>();
        for (AclEntry each : entries) {
            int asked = -1;
            if (each.tag() == OWNER) {
                asked = mode >>> 6 & 7;
            } else if (each.tag() == groupClass()) {
                asked = mode >>> 3 & 7;
            } else if (each.tag() == OTHERS) {
                asked = mode & 7;
            }
            int permissions = asked < 0 ? each.permissions() : both ? each.permissions() & asked : asked;
            now.add(new AclEntry(each.tag(), permissions, each.id()));
        }
        return new Acl(now);
    }
}
