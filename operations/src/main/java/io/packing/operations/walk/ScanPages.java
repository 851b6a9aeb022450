// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.walk;

import io.packing.bdt.BdtAdministration;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.master.table.Waiting;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All pages of a part of a table; the next one is on its way while a visitor handles the one before. */
public final class ScanPages {
    /** A visitor of every page. */
    public interface Visitor {
        void visit(ScanPage page) throws IOException;
    }

    private ScanPages() {}

    /** Goes through a part of a table. */
    public static void visit(BdtAdministration bdt, ScanPart part, Visitor visitor) throws IOException {
        ExecutorService ahead = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "scan-" + part);
            thread.setDaemon(true);
            return thread;
        });
        try {
            ScanPage page = bdt.scan(part, "");
            while (!page.isLast()) {
                String end = page.next();
                Future<ScanPage> next = ahead.submit(() -> bdt.scan(part, end));
                visitor.visit(page);
                page = Waiting.on(next);
            }
            visitor.visit(page);
        } finally {
            ahead.shutdownNow();
        }
    }
}
