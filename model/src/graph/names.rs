//! Labels and positions of nodes. No loss depends on them.

use super::{Graph, GraphError};

impl Graph {
    /// Labels the nodes.
    ///
    /// # Errors
    ///
    /// Returns an error unless there is one label per node and all differ.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// let graph = Graph::try_new(2, [(0, 1)])?.with_labels(vec!["ann".into(), "bob".into()])?;
    /// assert_eq!(graph.label(1), "bob");
    /// assert_eq!(graph.node("bob"), Some(1));
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn with_labels(mut self, labels: Vec<String>) -> Result<Self, GraphError> {
        self.check_length("labels", labels.len())?;
        let mut seen = std::collections::HashMap::with_capacity(labels.len());
        for (second, label) in labels.iter().enumerate() {
            if let Some(first) = seen.insert(label, second) {
                let label = label.clone();
                return Err(GraphError::RepeatedLabel { label, first, second });
            }
        }
        self.labels = Some(labels);
        Ok(self)
    }

    /// Places the nodes in the plane.
    ///
    /// # Errors
    ///
    /// Returns an error unless there is one position per node.
    pub fn with_positions(mut self, positions: Vec<[f64; 2]>) -> Result<Self, GraphError> {
        self.check_length("positions", positions.len())?;
        self.positions = Some(positions);
        Ok(self)
    }

    /// Returns the labels, if the nodes have any.
    pub fn labels(&self) -> Option<&[String]> {
        self.labels.as_deref()
    }

    /// Returns the label of `node`, or its number without labels.
    pub fn label(&self, node: usize) -> String {
        match self.labels().and_then(|labels| labels.get(node)) {
            Some(label) => label.clone(),
            None => node.to_string(),
        }
    }

    /// Returns the node with this label, or with this number if there are no labels.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// let marriages = families::florentine()?;
    /// assert_eq!(marriages.label(marriages.node("Medici").unwrap()), "Medici");
    /// assert_eq!(families::path(3)?.node("2"), Some(2));
    /// assert_eq!(families::path(3)?.node("+2"), None);
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn node(&self, name: &str) -> Option<usize> {
        match self.labels() {
            Some(labels) => labels.iter().position(|label| label == name),
            None => name
                .parse()
                .ok()
                .filter(|&node: &usize| node < self.nodes() && node.to_string() == name),
        }
    }

    /// Returns the positions of the nodes in the plane, if any.
    pub fn positions(&self) -> Option<&[[f64; 2]]> {
        self.positions.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_place() {
        let labels = ["a", "b", "a"].map(String::from).to_vec();
        let error = Graph::try_new(3, []).unwrap().with_labels(labels);
        assert!(error.unwrap_err().to_string().contains("0 and 2"));
        assert_eq!(Graph::try_new(0, []), Err(GraphError::Empty));
        let large = Graph::try_new(Graph::MAX_NODES + 1, []);
        assert!(matches!(large, Err(GraphError::TooLarge { .. })));
    }
}
