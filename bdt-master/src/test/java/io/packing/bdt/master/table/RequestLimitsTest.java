// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static io.packing.bdt.master.table.RequestCosts.each;
import static io.packing.bdt.master.table.RequestCosts.file;
import static io.packing.bdt.master.table.RequestCosts.make;
import static io.packing.bdt.master.table.RequestCosts.move;
import static io.packing.bdt.master.table.RequestCosts.path;
import static io.packing.bdt.master.table.RequestCosts.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.master.table.change.Quotas;
import io.packing.bdt.master.table.operation.VectorOperations;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.QuotaCounting;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.QuotaCount;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.RequestSize;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No request holds the writer for long: a count of many names is made beside it, and a request that would take too much is refused. */
class RequestLimitsTest {
    private static final int MANY = Quotas.MOST_COUNTED + 100;

    private final RequestCosts table;

    RequestLimitsTest() throws IOException {
        table = new RequestCosts();
    }

    private QuotaUse use(String directory) throws IOException {
        Inode inode =
                table.transaction.namespace().find(path(directory)).inode().orElseThrow();
        return QuotaRow.of(table.transaction.rows(), inode.id()).orElseThrow().use();
    }

    private QuotaUse recount(String directory) throws IOException {
        Inode inode =
                table.transaction.namespace().find(path(directory)).inode().orElseThrow();
        return QuotaCounting.use(table.transaction.rows(), table.transaction.namespace(), inode);
    }

    private List<QuotaCount> counting() throws IOException {
        return QuotaCount.all(table.transaction.rows());
    }

    private Optional<QuotaUse> missing(QuotaCount count) throws IOException {
        return QuotaCounting.missing(table.transaction.rows(), table.transaction.namespace(), count.directory());
    }

    @Test
    void aQuotaOfADirectoryWithManyNamesIsCountedBesideTheWriterWithAllChangesMeanwhile() throws IOException {
        table.cost(make(path("/t/kept")), make(path("/t/gone")));
        table.cost(each(MANY, i -> file(path("/t/kept/f" + i))));
        table.quota(path("/t"));
        assertThat(counting()).hasSize(1);
        QuotaCount count = counting().get(0);
        table.cost(file(path("/t/before")), remove(path("/t/kept/f0")));
        Optional<QuotaUse> missing = missing(count);
        table.cost(file(path("/t/after")), remove(path("/t/kept/f1")), remove(path("/t/gone")));
        table.cost(new Operation.Truncate(path("/t/after"), 1_000));
        assertThat(use("/t")).isNotEqualTo(recount("/t"));
        table.transaction.quotas().counted(count, missing);
        assertThat(use("/t")).isEqualTo(recount("/t")).isEqualTo(new QuotaUse(MANY + 2, 1_000));
        assertThat(counting()).isEmpty();
    }

    @Test
    void aLimitHoldsWhenItsDirectoryIsCounted() throws IOException {
        table.cost(make(path("/t")));
        table.cost(each(MANY, i -> file(path("/t/f" + i))));
        Inode directory = table.transaction.namespace().find(path("/t")).inode().orElseThrow();
        table.quota(path("/t"));
        assertThat(QuotaCount.isUnknown(counting(), directory.id())).isTrue();
        // The count of the directory above walks it, since its own row does not know.
        table.quota(path("/"));
        assertThat(counting()).hasSize(2);
        for (QuotaCount each : counting()) {
            table.transaction.quotas().counted(each, missing(each));
        }
        assertThat(use("/t").names()).isEqualTo(MANY + 1L);
        assertThat(use("/").names()).isEqualTo(MANY + 2L);
        // A quota that is set again goes on to hold while it is counted anew.
        table.quota(path("/t"));
        assertThat(counting()).hasSize(1);
        assertThat(QuotaCount.isUnknown(counting(), directory.id())).isFalse();
        assertThat(use("/t").names()).isEqualTo(MANY + 1L);
    }

    @Test
    void aCountThatBeganAnewIsNotEndedByTheOneBefore() throws IOException {
        table.cost(make(path("/t")));
        table.cost(each(MANY, i -> file(path("/t/f" + i))));
        table.quota(path("/t"));
        QuotaCount first = counting().get(0);
        Optional<QuotaUse> missing = missing(first);
        table.quota(path("/t"));
        table.transaction.quotas().counted(first, missing);
        assertThat(counting()).hasSize(1).doesNotContain(first);
        QuotaCount second = counting().get(0);
        table.transaction.quotas().counted(second, missing(second));
        assertThat(use("/t")).isEqualTo(recount("/t"));
    }

    @Test
    void aVectorThatWouldTakeTooMuchIsRefusedWithAWayOut() throws IOException {
        table.cost(make(path("/q")), make(path("/t")));
        int names = 50_000;
        table.cost(each(names, i -> file(path("/t/f" + i))));
        table.quota(path("/q"));
        List<Operation> moves =
                each(20, i -> i % 2 == 0 ? move(path("/t"), path("/q/t")) : move(path("/q/t"), path("/t")));
        OperationVector vector = new OperationVector(List.of(), moves);
        table.transaction.rows().effort().limit(RequestSize.of(vector));
        assertThatThrownBy(() -> new VectorOperations(table.transaction, Permissions.UNCHECKED, 1).apply(vector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set a quota of the directory itself first");
        table.transaction.reject();
        assertThat(table.transaction.namespace().find(path("/t")).inode()).isPresent();
        // The next request is none the worse.
        assertThat(table.cost(file(path("/t/more")))).isLessThan(100);
    }

    @Test
    void aVectorOfAsManyOperationsAsThereMayBeIsTaken() throws IOException {
        List<Operation> operations = each(OperationVector.MAX_OPERATIONS, i -> file(path("/d" + i % 10 + "f" + i)));
        RequestSize size = RequestSize.of(new OperationVector(List.of(), operations));
        assertThat(table.cost(operations)).isLessThan(size.mostUnits() / 10);
    }
}
