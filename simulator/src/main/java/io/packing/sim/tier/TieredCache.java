// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

/**
 * A cache of RAM above flash, exclusive, each with its policy; in the paper both are LRU (§3.4.2). A page enters RAM,
 * moves to flash when RAM evicts it, and is gone when flash evicts it. Dirty pages of the write buffer (§3.4.3) are
 * pages of that flash, and are written to disk when they leave.
 */
public final class TieredCache {
    /** The tier that had a page. */
    public enum Found {
        RAM,
        FLASH,
        NOWHERE
    }

    /** The fate of a page found in flash (§3.4.2). */
    public enum FlashHit {
        /** PP: the page moves up to RAM. */
        PROMOTE,
        /** KP: the page stays, which spares the flash the writes of moving back. */
        KEEP
    }

    /** A writer of pages that leave the buffer to disk. */
    @FunctionalInterface
    public interface Destage {
        void leaves(long key);
    }

    private final Tier ram;
    private final Tier flash;
    private final boolean promotes;
    private final Destage destage;
    private long flashPagesWritten;
    private long promotions;

    public TieredCache(Tier ram, Tier flash, FlashHit flashHit, Destage destage) {
        this.ram = ram;
        this.flash = flash;
        this.promotes = flashHit == FlashHit.PROMOTE && ram.capacity() > 0;
        this.destage = destage;
    }

    /** Looks a page up for a reader. */
    public Found find(long key) {
        if (ram.touch(key)) {
            return Found.RAM;
        }
        if (!flash.touch(key)) {
            return Found.NOWHERE;
        }
        if (promotes && !flash.isDirty(key)) {
            flash.remove(key);
            promotions++;
            admit(key);
        }
        return Found.FLASH;
    }

    /** Takes a clean page in at the top. */
    public void admit(long key) {
        if (flash.capacity() > 0 && flash.contains(key)) {
            // The page was written while flash has it: a clean copy moves, since the tiers are exclusive; a dirty one
            // stays where it is safe.
            if (flash.isDirty(key)) {
                return;
            }
            flash.remove(key);
        }
        for (long left = ram.insert(key, false); left != Tier.NOTHING; left = ram.nextEvicted()) {
            if (flash.capacity() > 0) {
                toFlash(left, false);
            }
        }
    }

    /** Takes a page into flash that the disk does not have yet. */
    public void buffer(long key) {
        ram.remove(key);
        toFlash(key, true);
    }

    private void toFlash(long key, boolean dirty) {
        flashPagesWritten++;
        for (long left = flash.insert(key, dirty); left != Tier.NOTHING; left = flash.nextEvicted()) {
            if (flash.evictedDirty()) {
                destage.leaves(left);
            }
        }
    }

    /** Drops a cached copy that is out of date or will never be read again. */
    public void forget(long key) {
        if (!ram.remove(key) && flash.capacity() > 0) {
            flash.remove(key);
        }
    }

    /** Drops the clean flash copy of a page that is being written; RAM's copy is written through. */
    public void written(long key) {
        if (flash.capacity() > 0 && !flash.isDirty(key)) {
            flash.remove(key);
        }
    }

    public boolean buffers(long key) {
        return flash.isDirty(key);
    }

    /** Marks a buffered page as written to disk; it stays as a clean one. */
    public void clean(long key) {
        flash.clean(key);
    }

    /** Simulates a loss of power: RAM is lost, flash is kept. */
    public void crash() {
        ram.clear();
    }

    public boolean hasFlash() {
        return flash.capacity() > 0;
    }

    public int pages() {
        return ram.size() + flash.size();
    }

    /** Returns the pages written to flash: its wear. */
    public long flashPagesWritten() {
        return flashPagesWritten;
    }

    public long promotions() {
        return promotions;
    }
}
