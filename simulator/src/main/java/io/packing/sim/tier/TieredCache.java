package io.packing.sim.tier;

/**
 * RAM above flash, exclusive, each with its policy, in the paper least recently used first (§3.4.2). What enters goes to RAM, what RAM evicts goes to
 * flash, what flash evicts is gone; dirty pages of the write buffer (§3.4.3) are pages of the same flash and must be
 * written to disk when they leave.
 */
public final class TieredCache {
    /** Where a page was. */
    public enum Found {
        RAM,
        FLASH,
        NOWHERE
    }

    /** What becomes of a page found in flash (§3.4.2). */
    public enum FlashHit {
        /** PP: it moves up to RAM. */
        PROMOTE,
        /** KP: it stays, which spares the flash the writes of moving back. */
        KEEP
    }

    /** Writes to disk what leaves the buffer. */
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
            // Written while it is in flash: exclusive, so it moves; but dirty pages stay where they are safe.
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

    /** Takes a page into flash that is not on disk yet. */
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

    /** A cached copy of this page is out of date or will never be asked for again. */
    public void forget(long key) {
        if (!ram.remove(key) && flash.capacity() > 0) {
            flash.remove(key);
        }
    }

    /** The clean flash copy of a page that is being written is out of date; RAM's is written through. */
    public void written(long key) {
        if (flash.capacity() > 0 && !flash.isDirty(key)) {
            flash.remove(key);
        }
    }

    public boolean buffers(long key) {
        return flash.isDirty(key);
    }

    /** A buffered page has been written to disk; it stays as a clean one. */
    public void clean(long key) {
        flash.clean(key);
    }

    /** Power fails: RAM is lost, flash is kept. */
    public void crash() {
        ram.clear();
    }

    public boolean hasFlash() {
        return flash.capacity() > 0;
    }

    public int pages() {
        return ram.size() + flash.size();
    }

    /** Pages written to flash: its wear. */
    public long flashPagesWritten() {
        return flashPagesWritten;
    }

    public long promotions() {
        return promotions;
    }
}
