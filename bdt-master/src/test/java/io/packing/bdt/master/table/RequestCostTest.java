// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static io.packing.bdt.master.table.RequestCosts.copy;
import static io.packing.bdt.master.table.RequestCosts.deep;
import static io.packing.bdt.master.table.RequestCosts.each;
import static io.packing.bdt.master.table.RequestCosts.file;
import static io.packing.bdt.master.table.RequestCosts.make;
import static io.packing.bdt.master.table.RequestCosts.mode;
import static io.packing.bdt.master.table.RequestCosts.move;
import static io.packing.bdt.master.table.RequestCosts.path;
import static io.packing.bdt.master.table.RequestCosts.range;
import static io.packing.bdt.master.table.RequestCosts.remove;
import static io.packing.bdt.master.table.RequestCosts.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.master.table.row.RequestSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Twice the request takes about twice the work of the writer, whatever the table has. */
class RequestCostTest {
    private static final int SMALL = 400;

    /** Prepares a table of its own, and asks for a vector of a size. */
    interface Shape {
        List<Operation> of(RequestCosts table, int size) throws IOException;
    }

    private static Map<String, Shape> shapes() {
        return Map.ofEntries(
                Map.entry("a mkdir -p of a deep path", (table, n) -> List.of(make(deep("t", n)))),
                Map.entry("attributes of N levels of a clone", RequestCostTest::levelsOfAClone),
                Map.entry("attributes of N levels that a snapshot sees", (table, n) -> {
                    table.cost(make(deep("t", n)), snapshot(path("/t"), "s"));
                    return each(n, i -> mode(deep("t", i + 1), 0700));
                }),
                Map.entry("attributes of N levels of which each has a snapshot", (table, n) -> {
                    table.cost(make(deep("t", n)));
                    table.cost(each(n, i -> snapshot(deep("t", i + 1), "s")));
                    return each(n, i -> mode(deep("t", i + 1), 0700));
                }),
                Map.entry("N files at the end of a deep path with a snapshot", (table, n) -> {
                    table.cost(make(deep("t", n)), snapshot(path("/t"), "s"));
                    return each(n, i -> file(deep("t", n).child("f" + i)));
                }),
                Map.entry("N files in one directory", (table, n) -> {
                    table.cost(make(path("/t")));
                    return each(n, i -> file(path("/t/f" + i)));
                }),
                Map.entry("N files in one directory with a quota", (table, n) -> {
                    table.cost(make(path("/t")));
                    table.quota(path("/t"));
                    return each(n, i -> file(path("/t/f" + i)));
                }),
                Map.entry("N files in N directories, ten levels down, below a quota", (table, n) -> {
                    table.cost(make(deep("t", 10)));
                    table.quota(path("/t"));
                    return each(
                            n,
                            i -> i % 2 == 0
                                    ? make(deep("t", 10).child("d" + i))
                                    : file(deep("t", 10).child("d" + (i - 1)).child("f")));
                }),
                Map.entry("N deletes of files of one directory", (table, n) -> {
                    table.cost(make(path("/t")));
                    table.cost(each(n, i -> file(path("/t/f" + i))));
                    return each(n, i -> remove(path("/t/f" + i)));
                }),
                Map.entry("N deletes of directories of a mount with N snapshots", (table, n) -> {
                    table.cost(make(path("/s")));
                    table.cost(each(n, i -> make(path("/t/d" + i + "/e"))));
                    table.cost(each(n, i -> make(path("/s/d" + i))));
                    table.cost(each(n, i -> snapshot(path("/s/d" + i), "s")));
                    return each(n, i -> remove(path("/t/d" + i)));
                }),
                Map.entry("N deletes of trees of N names in all, below a quota", (table, n) -> {
                    table.cost(make(path("/t")));
                    table.cost(each(n, i -> make(path("/t/d" + i / 20 + "/e" + i))));
                    table.quota(path("/t"));
                    return each(n / 20, i -> remove(path("/t/d" + i)));
                }),
                Map.entry("N renames of a deep tree", (table, n) -> {
                    table.cost(make(deep("t", 100)), snapshot(path("/t"), "s"));
                    return each(
                            n, i -> i % 2 == 0 ? move(path("/t/d"), path("/t/e")) : move(path("/t/e"), path("/t/d")));
                }),
                Map.entry("N moves of trees of N names in all across a quota", (table, n) -> {
                    table.cost(make(path("/q")), make(path("/t")));
                    table.cost(each(n, i -> make(path("/t/d" + i / 20 + "/e" + i))));
                    table.quota(path("/q"));
                    return each(n / 20, i -> move(path("/t/d" + i), path("/q/d" + i)));
                }),
                Map.entry("N snapshots of one directory", (table, n) -> {
                    table.cost(make(path("/t")));
                    return each(n, i -> snapshot(path("/t"), "s" + i));
                }),
                Map.entry("N drops of snapshots of one directory", (table, n) -> {
                    table.cost(make(path("/t")));
                    table.cost(each(n, i -> snapshot(path("/t"), "s" + i)));
                    return each(n, i -> new Operation.DropSnapshot(path("/t"), "s" + i));
                }),
                Map.entry("N files in a directory with N snapshots of it and N of another one", (table, n) -> {
                    table.cost(make(path("/t")), make(path("/u")));
                    table.cost(each(n, i -> file(path("/t/f" + i))));
                    table.cost(each(n, i -> snapshot(path("/t"), "s" + i)));
                    table.cost(each(n, i -> snapshot(path("/u"), "s" + i)));
                    return each(n, i -> mode(path("/t/f" + i), 0600));
                }),
                Map.entry("N files below N levels, with N snapshots of the top", (table, n) -> {
                    table.cost(make(deep("t", n)));
                    table.cost(each(n, i -> snapshot(path("/t"), "s" + i)));
                    return each(n, i -> file(deep("t", n).child("f" + i)));
                }),
                Map.entry("N clones of one directory", (table, n) -> {
                    table.cost(make(path("/t/a/b")));
                    return each(n, i -> new Operation.CloneDirectory(path("/t"), path("/c" + i)));
                }),
                Map.entry("N deletes of clones of one directory", (table, n) -> {
                    table.cost(make(path("/t/a/b")));
                    table.cost(each(n, i -> new Operation.CloneDirectory(path("/t"), path("/c" + i))));
                    return each(n, i -> remove(path("/c" + i)));
                }),
                Map.entry("N clones of one content", (table, n) -> {
                    table.packed(path("/f"), 100);
                    return each(n, i -> copy(path("/f"), path("/c" + i)));
                }),
                Map.entry("N deletes of clones of one content", (table, n) -> {
                    table.packed(path("/f"), 100);
                    table.cost(each(n, i -> copy(path("/f"), path("/c" + i))));
                    return each(n, i -> remove(i == 0 ? path("/f") : path("/c" + (i - 1))));
                }),
                Map.entry("N deletes of clones of one content, the newest first", (table, n) -> {
                    table.packed(path("/f"), 100);
                    table.cost(each(n, i -> copy(path("/f"), path("/c" + i))));
                    return each(n, i -> remove(path("/c" + (n - 1 - i))));
                }),
                Map.entry("N names of a file", (table, n) -> {
                    table.packed(path("/f"), 100);
                    return each(n, i -> new Operation.Link(path("/f"), path("/n" + i)));
                }),
                Map.entry("N names of a file go", (table, n) -> {
                    table.packed(path("/f"), 100);
                    table.cost(each(n, i -> new Operation.Link(path("/f"), path("/n" + i))));
                    return each(n, i -> remove(path("/n" + i)));
                }),
                Map.entry("N changes of an extended attribute of a file that has a hundred", (table, n) -> {
                    table.cost(file(path("/f")));
                    table.cost(each(100, i -> attribute("user.a" + i)));
                    return each(n, i -> attribute("user.a7"));
                }),
                Map.entry("N ranges that come to one file", (table, n) -> {
                    table.packed(path("/f"), 2L * n);
                    table.cost(file(path("/g")));
                    return each(n, i -> range(path("/f"), 2L * i, 1, path("/g"), 2L * i));
                }),
                Map.entry("N ranges within one file", (table, n) -> {
                    table.packed(path("/f"), 2L * n);
                    return each(n, i -> range(path("/f"), 0, 1, path("/f"), 2L * i + 1));
                }),
                Map.entry("N ranges taken out of a file", (table, n) -> {
                    table.packed(path("/f"), 2L * n);
                    return each(n, i -> new Operation.DeleteRange(new ByteRange(path("/f"), 2L * i, 1)));
                }));
    }

    private static Operation attribute(String name) {
        return new Operation.SetAttributes(
                path("/f"), AttributeChange.ofExtended(ExtendedChange.put(name, new ExtendedValue(new byte[] {1}))));
    }

    private static List<Operation> levelsOfAClone(RequestCosts table, int levels) throws IOException {
        table.cost(make(deep("t", levels)), new Operation.CloneDirectory(path("/t"), path("/c")));
        List<Operation> operations = new ArrayList<>();
        for (int i = 1; i <= levels; i++) {
            operations.add(mode(deep("c", i), 0700));
        }
        return operations;
    }

    private static long characters(List<Operation> operations) {
        return RequestSize.of(new OperationVector(List.of(), operations)).characters();
    }

    @TestFactory
    List<DynamicTest> twiceTheRequestTakesTwiceTheWork() {
        List<DynamicTest> tests = new ArrayList<>();
        shapes().forEach((name, shape) -> tests.add(DynamicTest.dynamicTest(name, () -> {
            RequestCosts small = new RequestCosts();
            List<Operation> half = shape.of(small, SMALL);
            long before = small.cost(half);
            RequestCosts large = new RequestCosts();
            List<Operation> whole = shape.of(large, 2 * SMALL);
            long after = large.cost(whole);
            // Of N levels all paths together grow with the square: their bytes are written, their levels are looked up
            // in memory.
            double growth = Math.max(2, (double) characters(whole) / characters(half));
            assertThat((double) after).as("units, after %d", before).isLessThan(before * growth * 1.25);
            assertThat(large.reads()).as("rows read, after %d", small.reads()).isLessThan(small.reads() * 5 / 2);
        })));
        return tests;
    }
}
