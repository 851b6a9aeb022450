/** Rounds of changes and of rollbacks of directories to older copies, against a model that holds bytes itself. */
@NullMarked
package io.packing.it.rollback;

import org.jspecify.annotations.NullMarked;
