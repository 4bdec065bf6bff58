//! A directed graph of elements of a schema, and questions about all of it in one pass. Needs no recursion: a schema can be deep.

/// The nodes are indices; an edge leads from an element to one that it refers to.
#[derive(Clone, Debug)]
pub struct Graph {
    below: Vec<Vec<usize>>,
    /// For each node, the number of its component: nodes that lead to each other have the same.
    components: Vec<usize>,
}

impl Graph {
    /// Makes a graph from the nodes below each node.
    pub fn new(below: Vec<Vec<usize>>) -> Self {
        let components = components(&below);
        Self { below, components }
    }

    /// Returns whether an edge from one node to another is part of a cycle.
    pub fn in_cycle(&self, from: usize, to: usize) -> bool {
        self.components[from] == self.components[to]
    }

    /// Returns the first edge of a node that is part of a cycle, by the node to which it leads.
    pub fn next_in_cycle(&self, from: usize) -> Option<usize> {
        self.below[from].iter().copied().find(|to| self.in_cycle(from, *to))
    }

    /// Returns for each node the nodes above it.
    pub fn reversed(&self) -> Vec<Vec<usize>> {
        reversed(&self.below)
    }

    /// Returns the nodes, each after those below it where no cycle forbids that.
    pub fn leaves_first(&self) -> Vec<usize> {
        finished(&self.below)
    }

    /// Returns for each node whether it is one of `starts` or leads to one.
    pub fn leads_to(&self, starts: impl IntoIterator<Item = usize>) -> Vec<bool> {
        reached(&self.reversed(), starts)
    }

    /// Returns for each node whether it is one of `starts` or below one.
    pub fn reached(&self, starts: impl IntoIterator<Item = usize>) -> Vec<bool> {
        reached(&self.below, starts)
    }
}

fn reached(edges: &[Vec<usize>], starts: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open: Vec<usize> = starts.into_iter().collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            open.extend(&edges[node]);
        }
    }
    reached
}

fn reversed(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut reversed = vec![vec![]; edges.len()];
    for (from, below) in edges.iter().enumerate() {
        below.iter().for_each(|to| reversed[*to].push(from));
    }
    reversed
}

/// Numbers the strongly connected components (Kosaraju's algorithm).
fn components(below: &[Vec<usize>]) -> Vec<usize> {
    let above = reversed(below);
    let mut components = vec![usize::MAX; below.len()];
    for (number, start) in finished(below).into_iter().rev().enumerate() {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if components[node] == usize::MAX {
                components[node] = number;
                open.extend(&above[node]);
            }
        }
    }
    components
}

/// Returns the nodes in the order in which a search in depth leaves them.
fn finished(below: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(below.len());
    let mut seen = vec![false; below.len()];
    for start in 0..below.len() {
        let mut open = vec![(start, 0)];
        while let Some((node, next)) = open.pop() {
            if next == 0 && std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match below[node].get(next) {
                Some(to) => open.extend([(node, next + 1), (*to, 0)]),
                None => order.push(node),
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::Graph;

    #[test]
    fn edge_of_a_cycle_is_found() {
        // 0 → 1 → 2 → 0, 2 → 3 → 4 → 3, 5 → 5, 6
        let graph = Graph::new(vec![vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![5], vec![]]);
        let cycles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 3), (5, 5)];
        assert!(cycles.iter().all(|(from, to)| graph.in_cycle(*from, *to)));
        assert!(!graph.in_cycle(2, 3));
        let next: Vec<_> = (0..7).map(|node| graph.next_in_cycle(node)).collect();
        assert_eq!(next, [Some(1), Some(2), Some(0), Some(4), Some(3), Some(5), None]);
    }

    #[test]
    fn nodes_above_and_below_are_found() {
        let graph = Graph::new(vec![vec![1], vec![2], vec![], vec![1]]);
        assert_eq!(graph.leads_to([1]), [true, true, false, true]);
        assert_eq!(graph.reached([1]), [false, true, true, false]);
        assert_eq!(graph.leaves_first(), [2, 1, 0, 3]);
    }

    #[test]
    fn deep_graph_needs_no_stack() {
        let count = 200_000;
        let graph = Graph::new((0..count).map(|at| vec![(at + 1) % count]).collect());
        assert!(graph.in_cycle(0, count - 1));
    }
}
